import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { committed } from './committed.mjs';
import { inHome } from './example.mjs';
import { homeServer } from './home-server.mjs';
import { costOf, mean, middle, timed } from './measure.mjs';
import { atMost, row } from './rows.mjs';

const STEPS = 1000;
const NAME = 'known';

/** A chain of steps that are all known: from `slipway run` to its verdict, and the activities that the server counts. The chain
 * is made once, before anything is measured. */
export async function known({ root, folder, runs, note }) {
  const at = join(folder, NAME);
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, 'slipway.yaml'), chain(STEPS));
  committed(at);
  const release = [process.execPath, join(root, 'bin', 'slipway.js'), 'run', join(at, 'slipway.yaml'), '--wait'];
  const taken = [];
  let activities = 0;
  await inHome({ root, home: join(folder, 'k') }, async (env) => {
    note(`known: the chain is made in ${Math.round((await timed(release, { env })) / 1000)} s`);
    for (let run = 0; run <= (runs ?? 5); run++) {
      const cost = await costOf(release, { env });
      if (run > 0) taken.push(cost); // the first finds cold caches
    }
    activities = await scheduled(root, env);
  });
  const [wall, cpu] = [middle(taken.map((one) => one.wall)), mean(taken.map((one) => one.cpu))];
  return [
    row(`${STEPS} known steps in a chain, run to verdict`, wall / 1000, 's', { goal: atMost(2) }),
    row(`${STEPS} known steps in a chain, CPU of the command`, cpu, 'ms'),
    row(`${STEPS} known steps in a chain, activities`, activities, '', { goal: atMost(20) }),
  ];
}

/** @param word of each step: steps of another word are not known */
export const chain = (count, word = '') =>
  [
    'slipway: 1',
    `release: { name: ${NAME}, version: '1.0' }`,
    'source: { git: ., commit: HEAD }',
    'platforms: [linux-x86_64]',
    'pythons: [cp311]',
    'steps:',
    ...Array.from({ length: count }, (_, at) => {
      const needs = at > 0 ? [`steps/s${at - 1}`] : [];
      return `  s${at}: ${JSON.stringify({ needs, run: `echo ${word}${at}` })}`;
    }),
    '',
  ].join('\n');

/** Activities of the newest run, by its history. Throws if it has none, or if steps of it are in another history. */
async function scheduled(root, { SLIPWAY_HOME }) {
  const connection = await Connection.connect(homeServer(root, SLIPWAY_HOME).server);
  try {
    const { events } = await new Client({ connection }).workflow.getHandle(`rehearsal/${NAME}/1.0`).fetchHistory();
    const count = events.filter((event) => event.activityTaskScheduledEventAttributes).length;
    const elsewhere = events.some((event) => event.startChildWorkflowExecutionInitiatedEventAttributes);
    if (count === 0 || elsewhere) throw new Error(`the history of ${NAME} does not tell all of its activities`);
    return count;
  } finally {
    await connection.close();
  }
}
