/** @needs temporal */
import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import type { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { fail } from '../../src/model/failure.js';
import type { RunStatus } from '../../src/model/messages.js';
import { aProblem } from '../engine/a-skeleton.js';
import { statusOf } from '../support/ask-run.js';
import { doNotReplay } from '../support/diverging-runs.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { chain, is, until } from './continuing.js';
import { ending, fakeActivities, type FakeStep } from './fake-activities.js';

const RUNS = 'release/reset/';
doNotReplay(RUNS); // a replay gives a history the run id of the one that it was made of
let env: TestWorkflowEnvironment;
let bundle: { code: string };
beforeAll(async () => {
  [env, bundle] = await Promise.all([startTemporal(), bundleWorkflows()]);
});
afterAll(() => env.teardown());

interface Play {
  readonly step?: FakeStep;
  readonly input?: object;
  readonly before: (handle: WorkflowHandle) => Promise<unknown>;
  readonly at: 'first' | 'last';
}

/** Resets the run's newest history at its first or last workflow task. Returns how the history that Temporal makes closed. */
async function reset({ step = () => ending, input, before, at }: Play) {
  const made: string[] = [];
  const noted: FakeStep = (given, signal) => (made.push(given.step), step(given, signal));
  const worker = await makeWorker(
    env,
    bundle,
    fakeActivities(() => chain(30), noted),
  );
  return worker.runUntil(async () => {
    const { workflow } = env.client;
    const workflowId = `${RUNS}${Math.random()}`;
    await workflow.start('release', { workflowId, taskQueue: 'control', args: [{ file: 'slipway.yaml', ...input }] });
    await before(workflow.getHandle(workflowId));
    const { runId } = await workflow.getHandle(workflowId).describe();
    const { events } = await workflow.getHandle(workflowId, runId).fetchHistory();
    const tasks = events!.filter((event) => event.workflowTaskCompletedEventAttributes);
    const made1 = made.length;
    const asked = {
      namespace: 'default',
      workflowExecution: { workflowId, runId },
      requestId: workflowId,
      reason: 'x',
    };
    const workflowTaskFinishEventId = tasks.at(at === 'first' ? 0 : -1)!.eventId!;
    const { runId: again } = await workflow.workflowService.resetWorkflowExecution({
      ...asked,
      workflowTaskFinishEventId,
    });
    const handle = workflow.getHandle(workflowId, again);
    const outcome: unknown = await handle.result().catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(WorkflowFailedError);
    const { details } = (outcome as WorkflowFailedError).cause as ApplicationFailure;
    return { problems: (details as [RunStatus])[0].problems, asked: await statusOf(handle), more: made.slice(made1) };
  });
}
const holds: FakeStep = ({ step }) => {
  if (step === 'steps/s3') throw fail(aProblem());
  return ending;
};
const held = (handle: WorkflowHandle) => until(handle, is('steps/s3', 'held'));
const ended = (handle: WorkflowHandle) => handle.result();
const toLater = (handle: WorkflowHandle) => until(handle, (status) => (status.history ?? 1) > 1 && is('steps/s29', 'held')(status)); // prettier-ignore
const REFUSED = [{ code: 'RUN_WAS_RESET', next: expect.stringContaining('slipway run FILE') as string }];

test.each<[string, Play]>([
  ['a held run, at its last workflow task', { step: holds, before: held, at: 'last' }],
  ['a held run, at its first workflow task', { step: holds, before: held, at: 'first' }],
  ['a run that has ended, at its last workflow task', { before: ended, at: 'last' }],
  ['a run that has ended, at its first workflow task', { before: ended, at: 'first' }],
  [
    'a later history, at its last workflow task',
    {
      step: ({ step }) => (step === 'steps/s29' ? holds({ step: 'steps/s3' } as never, null as never) : ending),
      ...{ input: { continueAfter: 60 }, before: toLater, at: 'last' },
    },
  ],
])('given a reset of %s, then the run that Temporal makes of it is refused and starts no step', async (_, play) => {
  const { problems, asked, more } = await reset(play);
  expect(problems).toMatchObject(REFUSED);
  expect(asked).toMatchObject({ state: 'ended', problems: REFUSED });
  expect(more).toEqual([]);
});
