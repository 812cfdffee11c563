// A run of thousands of steps through kill -9 of server and workers in the middle of hand-overs; ends with 1 where anything is wrong.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { killsOf, PROCESSES, shapes, skeletonOf } from './crash/graphs.mjs';
import { Ground, PLANTED } from './crash/ground.mjs';
import { Turbulence } from './crash/turbulence.mjs';
import { countSteps, historiesOf, isOpen, judgeOrder, judgeSteps, replay, replayUncached } from './crash/judge.mjs';

const { DefaultLogger, Runtime } = createRequire(import.meta.url)('@temporalio/worker');
const USAGE =
  'usage: node bench/crash.mjs [--shape random|chain] [--steps 10000] [--kills 12] [--seed 1] [--hand-over-after 4000] [--victims workflows,server,steps] [--cached N] [--task-seconds 10] [--pauses 0] [--asks] [--plant query-counts] [--json] [--keep]';
const number = (fallback) => ({ type: 'string', default: String(fallback) });
const options = {
  ...{ shape: { type: 'string', default: 'random' }, steps: number(10_000), kills: number(12), seed: number(1) },
  ...{
    'hand-over-after': number(4000),
    'task-seconds': number(10),
    victims: { type: 'string', default: PROCESSES.join() },
    cached: { type: 'string' },
    pauses: number(0),
    asks: { type: 'boolean' },
    plant: { type: 'string' },
    json: { type: 'boolean' },
    keep: { type: 'boolean' },
  },
};
const LIMIT_MS = 60 * 60_000;

async function main() {
  const { values } = parseArgs({ options });
  const keys = ['steps', 'kills', 'seed', 'hand-over-after', 'task-seconds', 'pauses'];
  const [steps, kills, seed, handOverAfter, taskSeconds, pauses] = keys.map((key) => Number(values[key]));
  const cached = values.cached === undefined ? null : Number(values.cached);
  const whole = [steps, kills, seed, handOverAfter, taskSeconds, pauses, cached ?? 0].every(
    (value) => Number.isInteger(value) && value >= 0,
  );
  const victims = values.victims.split(',');
  if (
    !whole ||
    steps === 0 ||
    taskSeconds === 0 ||
    !shapes.includes(values.shape) ||
    (values.plant !== undefined && !(values.plant in PLANTED)) ||
    !victims.every((one) => PROCESSES.includes(one))
  )
    throw new Error(USAGE);
  const folder = mkdtempSync(join(tmpdir(), 'slipway-crash-'));
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const asked = { shape: values.shape, steps, kills, seed, handOverAfter, victims, cached, taskSeconds };
  Object.assign(asked, { pauses, asks: values.asks === true, plant: values.plant ?? null });
  const problems = [];
  try {
    const row = await crash(folder, asked, problems);
    tell(row, problems, values.json);
  } finally {
    if (problems.length > 0 || values.keep) console.error(`logs are kept in ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
  return problems.length > 0 ? 1 : 0;
}

async function crash(folder, asked, problems) {
  const { shape, steps, kills, seed, handOverAfter, victims, cached, taskSeconds, pauses, asks, plant } = asked;
  const skeleton = skeletonOf(shape, steps, seed);
  const generations = (steps * (shape === 'chain' ? 6 : 3.25)) / handOverAfter;
  const planned = killsOf(kills, generations, seed, victims);
  const ground = await Ground.begin(folder, { skeleton, kills: planned, cached, taskSeconds, plant });
  const turbulence = new Turbulence(ground, { pauses, asks, seed });
  try {
    const workflowId = 'rehearsal/crash/1.0.0';
    const beganMs = Date.now();
    const args = [{ file: 'slipway.yaml', onFailure: 'fail', handOverAfter }];
    await ground.ask((client) =>
      client.workflow.start('release', {
        workflowId,
        taskQueue: 'control',
        args,
        workflowIdConflictPolicy: 'USE_EXISTING',
      }),
    );
    turbulence.begin(workflowId);
    let stuck = false;
    while (isOpen(await ground.ask((client) => client.workflow.getHandle(workflowId).describe()))) {
      if (ground.diverges()) {
        stuck = true;
        problems.push('the run is stuck: its workers say TMPRL1100');
        break;
      }
      if (Date.now() - beganMs > LIMIT_MS) throw new Error('the run has not ended within an hour');
      await pause(250);
    }
    const disturbed = await turbulence.end();
    const seconds = (Date.now() - beganMs) / 1000;
    const histories = await historiesOf(ground, workflowId);
    const counted = countSteps(histories, problems);
    const again = stuck ? 0 : judgeSteps(counted.steps, steps, problems);
    const begunAgain = judgeOrder(folder, skeleton, problems);
    await replay(folder, histories, problems);
    await replayUncached(ground, histories, problems);
    const killed = readFileSync(join(folder, 'kills.log'), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    if (disturbed.pauses < Math.min(pauses, 1)) problems.push('nothing was paused: give more steps');
    if (killed.length < Math.min(kills, 1))
      problems.push('nothing was killed: give more steps, or a smaller --hand-over-after');
    const events = histories.map(({ history }) => history.events.length);
    return {
      shape,
      steps,
      seed,
      seconds,
      generations: histories.length,
      events,
      again,
      begunAgain,
      planned: kills,
      killed,
      ...disturbed,
      premature: counted.premature,
    };
  } finally {
    await turbulence.end();
    await ground.end();
  }
}

function tell(row, problems, asJson) {
  if (asJson) return console.log(JSON.stringify({ ...row, problems }));
  const say = (name, value) => console.log(`${name.padEnd(44)} ${value}`);
  say(
    `${row.shape}, ${row.steps} steps, seed ${row.seed}`,
    `${row.seconds.toFixed(1)} s, ${row.generations} histories`,
  );
  say('events of each', row.events.join(' '));
  say('attempts that the engine made again', row.again);
  say('steps that began again, by their own word', row.begunAgain);
  say(`kills, of ${row.planned} planned`, row.killed.length);
  for (const { moment, number: generation, afterMs, victims } of row.killed)
    say(`  g${generation}, ${moment}`, `+${afterMs} ms  ${victims.join(' and ')}`);
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
