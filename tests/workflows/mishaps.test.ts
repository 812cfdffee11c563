/** @needs temporal */
import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import type { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { RunStatus, ReleaseInput } from '../../src/model/messages.js';
import type { Problem } from '../../src/model/failure.js';
import { aSkeleton } from '../engine/a-skeleton.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { doNotReplay } from '../support/diverging-runs.js';
import { ending, fakeActivities, type FakeStep } from './fake-activities.js';
import { until } from './until.js';
import { statusOf } from '../support/ask-run.js';

doNotReplay('release/bug/');
let env: TestWorkflowEnvironment;
let bundle: { code: string };
beforeAll(async () => {
  [env, bundle] = await Promise.all([startTemporal(), bundleWorkflows()]);
});
afterAll(() => env.teardown());

/** The workflows with a bug at the beginning of one function: `where` is its head as the bundle has it. */
function withBug(where: string, bug: string): { code: string } {
  expect(bundle.code.split(where)).toHaveLength(2);
  return { code: bundle.code.replace(where, `${where} ${bug}`) };
}
const BOOM = "throw new TypeError('boom')";

const chain = (count: number) =>
  aSkeleton(Array.from({ length: count }, (_, step) => ({ id: `steps/s${step}`, needs: step > 0 ? [step - 1] : [] })));

let count = 0;
interface Play {
  readonly steps?: number;
  readonly input?: Partial<ReleaseInput>;
  readonly step?: FakeStep;
  readonly meanwhile?: (handle: WorkflowHandle) => Promise<void>;
}

/** Plays a run with workflows that have a bug; answers how it closed. */
async function play(code: { code: string }, { steps = 10, input, step = () => ending, meanwhile }: Play = {}) {
  const activities = fakeActivities(() => chain(steps), step);
  const worker = await makeWorker(env, code, activities);
  return worker.runUntil(async () => {
    const handle = await env.client.workflow.start('release', {
      workflowId: `release/bug/1.${++count}`,
      taskQueue: 'control',
      args: [{ file: 'slipway.yaml', onFailure: 'fail', ...input }],
    });
    await meanwhile?.(handle);
    const outcome: unknown = await handle.result().catch((error: unknown) => error);
    return outcome instanceof WorkflowFailedError ? (outcome.cause as ApplicationFailure) : outcome;
  });
}
const problemsOf = (outcome: unknown): readonly Problem[] =>
  (outcome as { details: readonly [RunStatus] }).details[0].problems;

const OURS = {
  code: 'UNEXPECTED',
  class: 'bug',
  message: expect.stringContaining('boom'),
  next: expect.stringMatching(/^Attach the run's history/),
  evidence: expect.arrayContaining([expect.stringContaining('TypeError: boom')]),
};
const MANY = { steps: 60, input: { continueAfter: 60 } } as const;

test.each<[where: string, head: string, when: string, play: Play]>([
  ['the scheduler', 'apply(input) {', 'input.step === 3', {}],
  ['the scheduler of a later history', 'apply(input) {', 'input.step === 40', MANY],
  ['the end of an attempt', 'const end = (came)=>{', 'step === 3', {}],
  ['the end of an attempt of a later history', 'const end = (came)=>{', 'step === 40', MANY],
  ['saving the checkpoint', 'snapshot() {', 'true', MANY],
  ['loading the checkpoint', 'resume(refused, unaudited) {', 'true', MANY],
])(
  'given an exception in %s, then the run fails as a bug of ours and names what to attach',
  async (_, head, when, more) => {
    const outcome = await play(withBug(head, `if (${when}) ${BOOM};`), more);
    expect(problemsOf(outcome)).toEqual([expect.objectContaining(OURS)]);
  },
);

test('given an exception in the first workflow task, then the run fails in the same way', async () => {
  const outcome = (await play(withBug('class Run {', `boom = (()=>{ ${BOOM}; })();`))) as ApplicationFailure;
  expect(outcome.type).toBe('UNEXPECTED');
  expect(outcome.message).toMatch(/^UNEXPECTED: the workflow: boom\. Attach the run's history/);
  expect(problemsOf(outcome)).toEqual([expect.objectContaining(OURS)]);
});

test('given a query that throws, then it is answered with the code, and the run goes on', async () => {
  const outcome = await play(withBug('previewRerun(step) {', `${BOOM};`), {
    step: async ({ step }) => (step === 'steps/s0' && (await new Promise((go) => setTimeout(go, 1000))), ending),
    meanwhile: async (handle) => {
      await until(
        () => statusOf(handle),
        ({ steps }) => steps.length > 0,
      );
      await expect(handle.query('rerun', 'steps/s0')).rejects.toThrow(/UNEXPECTED: a query: boom\. Attach/);
    },
  });
  expect(outcome).toMatchObject({ verdict: 'released' });
});

test('given an action that throws, then it is refused with the code, by Update or Signal, and the run goes on', async () => {
  const bug = "if (input.action && input.action.reason === 'boom') throw new TypeError('boom');";
  const outcome = await play(withBug('push(input) {', bug), {
    step: async ({ step }) => (step === 'steps/s0' && (await new Promise((go) => setTimeout(go, 1000))), ending),
    meanwhile: async (handle) => {
      await handle.signal('note', { reason: 'boom' });
      const answer = await handle.executeUpdate('note', { args: [{ reason: 'boom' }] });
      expect(answer).toMatchObject({ ok: false, problem: { code: 'UNEXPECTED', class: 'bug' } });
      const { refused } = await statusOf(handle);
      expect(refused).toMatchObject([{ code: 'UNEXPECTED' }, { code: 'UNEXPECTED' }]);
    },
  });
  expect(outcome).toMatchObject({ verdict: 'released' });
});
