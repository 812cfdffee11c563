import { createRequire } from 'node:module';
import { join } from 'node:path';
import { middle } from './measure.mjs';
import { atMost, row } from './rows.mjs';

/** A random layered graph: 50 wide, each step needs three of the layer above; 50 to 500 ms a step. */
export function layered(count, width = 50) {
  let seed = 1;
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
  const above = (at) => (Math.floor(at / width) - 1) * width + Math.floor(random() * width);
  const policy = { times: 1, waitMs: 1, atMostMs: 1 };
  const steps = Array.from({ length: count }, (_, at) => ({
    ...{ id: `steps/s${at}`, kind: 'runCommand', stage: 'steps', on: 'linux-x86_64', wants: [], after: [] },
    needs: at < width ? [] : [...new Set([above(at), above(at), above(at)])],
    ...{ limitMs: 60_000, expectedMs: 50 + Math.floor(random() * 450), retry: { infra: policy, lost: policy } },
  }));
  const windows = { 'linux-x86_64': width };
  return {
    plan: `sha256:${'a'.repeat(64)}`,
    name: 'layered',
    version: '1',
    rehearsal: true,
    steps,
    dropped: [],
    windows,
  };
}

/** 10,000 steps of one release on 50 workers, and a million steps a day on 1,000. */
export async function simulate({ root }) {
  const require = createRequire(import.meta.url);
  const { simulate: carryOut } = require(join(root, 'dist', 'engine', 'simulate', 'simulate.js'));
  const fleet = (workers) => ({ queues: { 'linux-x86_64': { workers, slots: 1 } }, durations: {} });
  const timed = (plan, workers, load) => {
    const start = performance.now();
    carryOut(plan, fleet(workers), load);
    return performance.now() - start;
  };
  const plan = layered(10_000);
  const times = Array.from({ length: 6 }, () => timed(plan, 50));
  const day = 24 * 60 * 60_000;
  const million = timed(layered(20_000), 1000, { releases: 50, everyMs: day / 50 });
  return [
    row('simulate-10k, first in a process', times[0], 'ms', { goal: atMost(1000) }),
    row('simulate-10k, warm', middle(times.slice(1)), 'ms', { goal: atMost(1000) }),
    row('simulate-1m: a day of 1,000 workers', million / 1000, 's'),
  ];
}
