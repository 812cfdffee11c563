import '../adapters/tell-uncaught.js';
import { userInfo } from 'node:os';
import { text } from 'node:stream/consumers';
import { remakeWheel } from '../activities/reproduce/remake-wheel.js';
import { createPlans } from '../activities/step/inputs.js';
import { createArchives } from '../adapters/archive/index.js';
import { createLogWriter } from '../adapters/logs/writer.js';
import { createInterpreters } from '../adapters/python/interpreters.js';
import type { LostWheel, Remade } from '../model/remade.js';
import { FEATURE_NODES } from '../features/node.js';
import { createBodies } from './bodies.js';
import { surroundings } from './surroundings.js';

/** `slipway cache rebuild`: builds wheels again that the store lost. Reads a list of `LostWheel` on stdin and writes a list of
 * `Remade` to stdout. */
async function main(): Promise<void> {
  const lost = JSON.parse(await text(process.stdin)) as readonly LostWheel[];
  const { signal } = new AbortController();
  const around = await surroundings('remake', signal, ['worker']);
  const interpreters = createInterpreters(process.env);
  const parts = {
    around: {
      ...around,
      env: { ...process.env, USER: process.env['USER'] ?? userInfo().username },
      openLog: () => createLogWriter(NOWHERE, 'remade'),
      python: async (tag: string) => (await interpreters.find(tag))?.path ?? null,
    },
    planOf: createPlans(around.store, around.signatures),
    bodies: (own: typeof around) => createBodies(own, { interpreters }, FEATURE_NODES),
    ...{ archives: createArchives(), signal },
  };
  const remade: Remade[] = [];
  for (const [at, wheel] of lost.entries()) {
    process.stderr.write(`slipway: building ${wheel.entry.file} again, ${at + 1} of ${lost.length}\n`);
    remade.push(await remakeWheel(wheel, parts));
  }
  process.stdout.write(JSON.stringify(remade));
}

/** A failed build is told by its problem. */
const NOWHERE: Parameters<typeof createLogWriter>[0] = {
  create: (_, value) => Promise.resolve({ created: true, value }),
  list: () => Promise.resolve([]),
};

void main().then(() => process.exit(0));
