// Plays a run of thousands of steps, and kills server and workers when it continues as new. Ends with 1 if anything is wrong.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readArguments } from './crash/arguments.mjs';
import { skeletonOf } from './crash/graphs.mjs';
import { Ground } from './crash/ground.mjs';
import { countSteps, judgeOrder, judgeSteps, loadHistories, replay, replayUncached } from './crash/judge.mjs';
import { killsOf } from './crash/kills.mjs';
import { Turbulence } from './crash/turbulence.mjs';

const { DefaultLogger, Runtime } = createRequire(import.meta.url)('@temporalio/worker');
/** Twenty times as long as the play takes beside four busy loops. */
const LIMIT_MS = 15 * 60_000;
const WORKFLOW_ID = 'rehearsal/crash/1.0.0';

async function main() {
  const asked = readArguments();
  const folder = mkdtempSync(join(tmpdir(), 'slipway-crash-'));
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const problems = [];
  try {
    tell(await crash(folder, asked, problems), problems, asked.json);
  } finally {
    if (problems.length > 0 || asked.keep) console.error(`logs are kept in ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
  return problems.length > 0 ? 1 : 0;
}

async function crash(folder, asked, problems) {
  const { shape, steps, seed, kills, cached, taskSeconds, plant } = asked;
  const skeleton = skeletonOf(shape, steps, seed);
  const ground = await Ground.begin(folder, { skeleton, kills: killsOf(asked), cached, taskSeconds, plant });
  const turbulence = new Turbulence(ground, asked);
  try {
    const played = await play(ground, turbulence, asked, problems);
    await ground.retire('workflows'); // what is judged asks workers of its own
    const histories = await loadHistories(ground, WORKFLOW_ID, played.first);
    const counted = countSteps(histories, problems);
    const again = played.stuck ? 0 : judgeSteps(counted.steps, steps, problems);
    const begunAgain = judgeOrder(folder, skeleton, problems);
    await replay(folder, histories, problems);
    await replayUncached(ground, histories, problems);
    const killed = ground.kills();
    if (played.pauses < Math.min(asked.pauses, 1)) problems.push('nothing was paused: give more steps');
    if (killed.length < Math.min(kills, 1))
      problems.push('nothing was killed: give more steps, or a smaller --continue-after');
    const events = histories.map(({ history }) => history.events.length);
    const { premature } = counted;
    return { shape, steps, seed, ...played, events, again, begunAgain, planned: kills, killed, premature };
  } finally {
    await turbulence.end();
    await ground.end();
  }
}

/** Plays the run to its end, or until it is stuck. */
async function play(ground, turbulence, { continueAfter }, problems) {
  const beganMs = Date.now();
  const args = [{ file: 'slipway.yaml', onFailure: 'fail', ...(continueAfter !== null && { continueAfter }) }];
  const options = { workflowId: WORKFLOW_ID, taskQueue: 'control', args, workflowIdConflictPolicy: 'USE_EXISTING' };
  const { firstExecutionRunId: first } = await ground.ask((client) => client.workflow.start('release', options));
  turbulence.begin(WORKFLOW_ID);
  while (await isOpen(ground)) {
    if (ground.diverges()) {
      problems.push('the run is stuck: its workers say TMPRL1100');
      return { first, stuck: true, ...(await turbulence.end()), seconds: (Date.now() - beganMs) / 1000 };
    }
    if (Date.now() - beganMs > LIMIT_MS) {
      problems.push(`the run has not ended within ${LIMIT_MS / 60_000} minutes`, ...(await stands(ground)));
      return { first, stuck: true, ...(await turbulence.end()), seconds: (Date.now() - beganMs) / 1000 };
    }
    await pause(250);
  }
  return { first, stuck: false, ...(await turbulence.end()), seconds: (Date.now() - beganMs) / 1000 };
}

/** What a run that does not end waits for, and the last words of its processes. */
async function stands(ground) {
  const { raw } = await ground.ask((client) => client.workflow.getHandle(WORKFLOW_ID).describe());
  const { pendingWorkflowTask, pendingActivities } = raw;
  const logs = ['workflows', 'steps', 'server'].map((name) => `${name}.log: ${ground.lastWords(name)}`);
  return [JSON.stringify({ pendingWorkflowTask, pendingActivities }), ...logs];
}

const isOpen = async (ground) => {
  const { status } = await ground.ask((client) => client.workflow.getHandle(WORKFLOW_ID).describe());
  return status.name === 'RUNNING';
};

function tell(row, problems, asJson) {
  if (asJson) return console.log(JSON.stringify({ ...row, problems }));
  const say = (name, value) => console.log(`${name.padEnd(44)} ${value}`);
  say(
    `${row.shape}, ${row.steps} steps, seed ${row.seed}`,
    `${row.seconds.toFixed(1)} s, ${row.events.length} histories`,
  );
  say('events of each', row.events.join(' '));
  say('attempts that the engine made again', row.again);
  say('steps that began again, by their own word', row.begunAgain);
  say(`kills, of ${row.planned} planned`, row.killed.length);
  for (const { moment, number, afterMs, victims } of row.killed)
    say(`  continuation ${number}, ${moment}`, `+${afterMs} ms  ${victims.join(' and ')}`);
  say('pauses, queries and updates meanwhile', `${row.pauses}, ${row.queries}, ${row.updates}`);
  say('premature activations that were refused', row.premature);
  say('all histories replay, also with nothing cached', problems.some((one) => one.includes('replay')) ? 'NO' : 'yes');
  for (const problem of problems.slice(0, 20)) console.log(`WRONG ${problem}`);
  if (problems.length > 20) console.log(`… and ${problems.length - 20} more`);
}

main().then(
  (code) => process.exit(code),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
