/** @long @needs temporal sandbox */
import type { WorkflowHandle } from '@temporalio/client';
import { BISECT_WORKFLOW, bisectIdOf, type BisectInput, type BisectStatus } from '../../src/model/bisect.js';
import { CONTROL } from '../../src/model/ids.js';
import { STATUS_QUERY } from '../../src/model/messages.js';
import { aLineOfCommits } from '../support/a-line-of-commits.js';
import { MAKE_WHEEL } from '../support/tiny-projects.js';
import { until } from '../support/until.js';
import { aWorldWith, type CanaryWorld } from './a-canary.js';

/** Each commit builds a wheel with its number, and those from 17 on fail. */
const FILE = `slipway: 1
pipeline: { name: boat, label: date }
source: { git: .. }
platforms: [linux-x86_64]
pythons: [cp311]
wheels:
  boat: { platform: none, python: none, builder: command, run: 'python3 make-wheel.py {out} boat 1.0 "number = $(cat number)"' }
tests:
  sail: { in: venv, needs: [wheels/boat], run: "python -c 'import boat; assert boat.number < 17; print(41 + 1)'", expect: '42' }
`;
const COMMITS = 24;
const ROUNDS = 3;
const WAYS = 3;

let world: CanaryWorld;
beforeAll(async () => {
  world = await aWorldWith('none');
});
afterAll(() => world?.close());

const statusOf = (handle: WorkflowHandle): Promise<BisectStatus | null> =>
  handle.query<BisectStatus>(STATUS_QUERY).catch(() => null);

test('given 24 commits that are each built to a wheel, when the builder is killed midway, then the first bad one is found in three rounds', async () => {
  const { file, commits } = aLineOfCommits(COMMITS, FILE, { 'make-wheel.py': MAKE_WHEEL });
  const [good, bad] = [commits[0]!, commits[COMMITS - 1]!];
  const input: BisectInput = { file, profile: 'local', test: 'sail', ways: WAYS, good, bad };
  const handle = await world.env.client.workflow.start(BISECT_WORKFLOW, {
    ...{ workflowId: bisectIdOf({ ...input, pipeline: 'boat' }), taskQueue: CONTROL, args: [input] },
  });
  await until(async () => (await statusOf(handle))?.tried.some(({ commit }) => commit !== 0 && commit !== COMMITS - 1));
  world.replaceBuilder();
  const { answer, tried } = (await handle.result()) as BisectStatus;

  expect(answer).toEqual({ answer: 'blamed', commit: 17, repeats: 1 });
  expect(tried.length).toBeLessThanOrEqual(2 + ROUNDS * WAYS);
  expect(tried.flatMap(({ because }) => because ?? []).filter((why) => !why.startsWith('TEST_FAILED'))).toEqual([]);
});
