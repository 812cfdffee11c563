/** @slow */
import { MockActivityEnvironment } from '@temporalio/testing';
import { createKeepAudit } from '../../../src/activities/report/keep-status.js';
import { createPerform } from '../../../src/activities/step/perform.js';
import type { Body } from '../../../src/activities/work.js';
import type { KindName } from '../../../src/model/kinds.js';
import type { StepEnding } from '../../../src/model/messages.js';
import type { Step, StepOf } from '../../../src/model/plan.js';
import type { Result } from '../../../src/model/result.js';
import { readRounds, resultNames, type Round } from '../../../src/model/rounds.js';
import { records } from '../../../src/model/run-folder.js';
import { aStep } from '../../support/run-body.js';
import { failureOf, neverRuns, world } from './a-world.js';

const first = aStep('takeSdist', { project: 'skiff' }, { id: 'sdists/skiff' });
const second = aStep('takeSdist', { project: 'other' }, { id: 'sdists/other', needs: [first.id] });
const run = 'run-0001';

/** Says what it makes. */
const makes =
  (text: string): Body<KindName> =>
  async (work) => {
    await work.must(`printf '${text}' > out.txt`);
    return { artifacts: [await work.keep(`${work.folder}/out.txt`, 'file')], facts: {}, note: text };
  };
const saw: Body<KindName> = async (work) => ({
  artifacts: [],
  facts: { saw: work.inputs[0]!.note },
  note: `made from ${work.inputs[0]!.note}`,
});

/** Two steps, one upon the other, both done. */
async function twoDone() {
  const { around, digest } = await world(first, { plan: { steps: [first as Step, second as Step] } });
  const perform = (step: StepOf<KindName>, body: Body<KindName>, round = 1, of = run): Promise<StepEnding> =>
    new MockActivityEnvironment({ attempt: 1, workflowExecution: { workflowId: 'release/skiff/1', runId: 'r' } }).run(
      createPerform(around)(body),
      { plan: digest, step: step.id, run: of, attempt: round, ...(round > 1 && { round }) },
    ) as Promise<StepEnding>;
  await perform(first, makes('one'));
  await perform(second, saw);
  const begin = (round: Round): Promise<void> =>
    createKeepAudit(around.store)({
      run,
      actions: [
        {
          no: round.round,
          at: 0,
          sent: { action: 'retry', from: round.from },
          answer: { ok: true, did: 'runs again', steps: round.steps, round },
        },
      ],
    });
  const noteOf = async (step: string): Promise<string | undefined> =>
    (await around.store.read<Result>((await readRounds(around.store, run)).result(step)))?.note;
  return { around, perform, begin, noteOf };
}
const again: Round = { round: 2, from: first.id, steps: [first.id, second.id] };

test('given a rerun with the same bytes, then the step runs again and its dependants are reused', async () => {
  const { perform, begin, noteOf } = await twoDone();
  await begin(again);
  expect(await noteOf(first.id)).toBeUndefined(); // the first result does not count any more
  let ran = 0;
  const counted: Body<KindName> = (work) => ((ran += 1), makes('one')(work));
  expect(await perform(first, counted, 2)).toMatchObject({ outcome: 'done' });
  expect(ran).toBe(1);
  expect(await perform(second, neverRuns, 2)).toMatchObject({ outcome: 'cached', note: 'made from one' });
});

test('given a rerun with other bytes, then dependants are made from them, and later runs reuse those', async () => {
  const { perform, begin, noteOf } = await twoDone();
  await begin(again);
  await perform(first, makes('two'), 2);
  expect(await perform(second, saw, 2)).toMatchObject({ outcome: 'done', note: 'made from two' });
  expect([await noteOf(first.id), await noteOf(second.id)]).toEqual(['two', 'made from two']);
  expect(await perform(first, neverRuns, 1, 'run-0002')).toMatchObject({ outcome: 'cached', note: 'two' });
});

test('given a late attempt of an earlier round, then its result belongs to that round', async () => {
  const { around, perform, begin, noteOf } = await twoDone();
  await begin(again);
  expect(await perform(first, neverRuns, 1)).toMatchObject({ outcome: 'done', note: 'one' });
  await perform(first, makes('two'), 2);
  expect(await noteOf(first.id)).toBe('two');
  const early = await around.store.read<Result>(records.result(run, first.id));
  expect(early!.note).toBe('one');
});

test('given several rounds, then each step has one result that counts', async () => {
  const { around, perform, begin } = await twoDone();
  await begin({ round: 2, from: second.id, steps: [second.id] });
  await perform(second, saw, 2);
  expect(await resultNames(around.store, run)).toEqual([
    records.result(run, second.id, 2),
    records.result(run, first.id),
  ]);
});

test('given a round missing in the store, then the step fails, so that old results are not taken', async () => {
  const { perform } = await twoDone();
  const { details } = await failureOf(perform(first, neverRuns, 2));
  expect(details.problems[0]).toMatchObject({ code: 'ROUND_MISSING', class: 'infra' });
});

test('given reruns, then a body knows the round in which its own step was rerun', async () => {
  const { perform, begin } = await twoDone();
  await begin(again);
  await begin({ round: 3, from: second.id, steps: [second.id] });
  const seen: (number | undefined)[] = [];
  const tells: Body<KindName> = async (work) => {
    seen.push(work.round);
    return makes('other')(work);
  };
  await perform(first, tells, 3);
  await perform(second, tells, 3);
  expect(seen).toEqual([2, 3]);
});
