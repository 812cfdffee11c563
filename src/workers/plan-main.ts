import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Worker } from 'node:worker_threads';
import type { Past, Planner } from '../activities/plan/ports.js';
import type { Store, Stored } from '../activities/ports.js';
import type { WheelServer } from '../activities/wheels/taken/ports.js';
import { createPlanner } from '../adapters/facts/planner.js';
import { readRoots } from '../adapters/facts/roots.js';
import { openRpc } from '../adapters/facts/rpc.js';
import { home } from '../adapters/home.js';
import { FEATURE_PLANS } from '../features/plan.js';
import type { FeaturePlans } from '../plan/feature.js';

// A process that plans for the worker which started it. That has the store and all keys, and answers by the channel.
new Worker(join(__dirname, 'plan-guard.js'), { workerData: JSON.parse(process.argv[2]!) as unknown }).unref();
// Linux ends this process before a worker if memory is short.
writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined);

const call = openRpc(process, {
  submit: async (...asked: Parameters<Planner['submit']>) => (await planner.submit(...asked)).digest,
  span: (...asked: Parameters<Planner['span']>) => planner.span(...asked),
});
const from = (...names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, (...args: readonly unknown[]) => call(name, ...args)]));

const put: Store['put'] = async (bytes) => {
  const path = join(tmpdir(), randomUUID());
  try {
    await pipeline(bytes, createWriteStream(path));
    return (await call('putFile', path)) as Stored;
  } finally {
    await rm(path, { force: true });
  }
};
// A signal crosses no channel.
const wheels = {
  find: (address, wanted) => call('find', address, wanted),
  download: (wheel, { signal: _, ...how }) => call('download', wheel, how),
} as WheelServer;
const answers: Past['answers'] = async () => (await import('../features/node.js')).FEATURE_NODES;
const past = {
  ...{ ...from('standings', 'listed', 'pure', 'bases'), wheels, features: FEATURE_PLANS as FeaturePlans, answers },
  failed: async () => ({ steps: await call('failedSteps'), of: (plan) => call('failedOf', plan) }),
} as Past;
const store = { ...from('read', 'create', 'putFile'), put } as Store;
const unsigned = { sign: () => Promise.resolve(), isSigned: () => Promise.resolve(false) };
const planner = createPlanner(store, unsigned, (kind) => readRoots(process.env, home(), kind), past);
