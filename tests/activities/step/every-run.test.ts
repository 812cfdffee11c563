import { lookUpCached } from '../../../src/activities/cache/look-up-cached.js';
import { canonical } from '../../../src/model/json.js';
import type { KindName } from '../../../src/model/kinds.js';
import type { Step } from '../../../src/model/plan.js';
import type { Result } from '../../../src/model/result.js';
import { records } from '../../../src/model/run-folder.js';
import { aPlan } from '../../support/run-body.js';
import type { Body } from '../../../src/activities/work.js';
import { asBytes, done, pure, world } from './a-world.js';

/** Counts how often it ran, and makes other bytes each time. */
function counting(): { body: Body<KindName>; runs: () => number } {
  let runs = 0;
  const body: Body<KindName> = async (work) => ({ ...(await done(work)), facts: { run: ++runs } });
  return { body, runs: () => runs };
}

test.each([
  ['a step of a pure kind', pure, 'cached', 1],
  ['the same step with `cache: false`', { ...pure, cache: 'always' as const }, 'done', 2],
])('given %s, when a second run comes to it, then its outcome is %#', async (_, step, outcome, runs) => {
  const { perform, around } = await world(step);
  const it = counting();
  expect(await perform(it.body, 'run-0001')).toMatchObject({ outcome: 'done' });
  expect(await perform(it.body, 'run-0002')).toMatchObject({ outcome });
  expect(it.runs()).toBe(runs);
  const second = await around.store.read<Result>(records.result('run-0002', step.id));
  expect(second).toMatchObject({ facts: { run: runs }, made: { run: `run-000${runs}` } });
});

test('given a step with `cache: false`, then it leaves nothing that another file could find by its key', async () => {
  const { perform, around } = await world({ ...pure, cache: 'always' });
  await perform(done);
  const { key } = (await around.store.read<Result>(records.result('run-0001', pure.id)))!;
  expect(await around.store.read(records.known(key))).toBeNull();
});

test('given a result that is known, when results are looked up in bulk, then a step with `cache: false` is not found', async () => {
  const { perform, around } = await world();
  await perform(done);
  const lookUp = async (step: typeof pure) => {
    const plan = aPlan({ steps: [step as unknown as Step] });
    const { digest } = await around.store.put(asBytes(canonical(plan)));
    const input = { plan: digest, run: 'run-0003', workflowId: 'w', from: [0], ended: [] };
    return lookUpCached(plan, input, around, new AbortController().signal);
  };
  expect((await lookUp({ ...pure, cache: 'always' })).found).toEqual([]);
  expect((await lookUp(pure)).found).toHaveLength(1);
});
