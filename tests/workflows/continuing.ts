import type { WorkflowHandle } from '@temporalio/client';
import { WorkflowFailedError } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker, type WorkerOptions } from '@temporalio/worker';
import { STATUS_QUERY, type ReleaseInput, type RunStatus, type StepState } from '../../src/model/messages.js';
import type { Skeleton } from '../../src/model/plan.js';
import { aSkeleton } from '../engine/a-skeleton.js';
import { CONVERTER } from '../support/converter.js';
import { doNotReplay } from '../support/diverging-runs.js';
import { makeWorker } from '../temporal-env.js';
import { ending, fakeActivities, untilAborted, type FakeStep } from './fake-activities.js';
import { historiesOf, type Recorded } from './histories-of.js';
import { until as untilAnswer } from './until.js';

export const chain = (count: number): Skeleton =>
  aSkeleton(Array.from({ length: count }, (_, step) => ({ id: `steps/s${step}`, needs: step > 0 ? [step - 1] : [] })));

/** A chain, and beside it a step that nothing waits for. */
export const withLong = (count: number): Skeleton => {
  const { steps, ...around } = chain(count);
  return { ...around, steps: [...steps, { ...steps[0]!, id: 'long', needs: [] }] };
};

export interface Play {
  readonly step?: FakeStep;
  readonly input?: Partial<ReleaseInput>;
  readonly options?: Partial<WorkerOptions>;
  /** In place of the fake ones. */
  readonly activities?: object;
  readonly meanwhile?: (handle: WorkflowHandle, made: readonly string[]) => Promise<void>;
}
export interface Played {
  readonly handle: WorkflowHandle;
  readonly status: RunStatus;
  readonly outcome: unknown;
  /** Attempts, `STEP NUMBER`, in the order they were made. */
  readonly made: readonly string[];
  /** How many histories the run has. */
  readonly histories: number;
}

let count = 0;
const RUNS = 'release/long/';
doNotReplay(RUNS); // `play` replays each of them

/** Plays a run that continues as new every few events, and replays all its histories. */
export async function play(
  env: TestWorkflowEnvironment,
  bundle: { code: string },
  skeleton: Skeleton,
  { step = () => ending, input, options, activities, meanwhile }: Play = {},
): Promise<Played> {
  const made: string[] = [];
  const noted: FakeStep = (given, signal) => (made.push(`${given.step} ${given.attempt}`), step(given, signal));
  const all = { ...fakeActivities(() => skeleton, noted), ...activities };
  const worker = await makeWorker(env, bundle, all, options);
  return worker.runUntil(async () => {
    const handle = await env.client.workflow.start('release', {
      workflowId: `${RUNS}1.${++count}`,
      taskQueue: 'control',
      args: [{ file: 'slipway.yaml', onFailure: 'fail', continueAfter: 100, ...input }],
    });
    const open = env.client.workflow.getHandle(handle.workflowId);
    await meanwhile?.(open, made).catch(async (error: unknown) => {
      await open.terminate(); // else the next test's worker goes on with it
      throw error;
    });
    const outcome: unknown = await handle.result().catch((error: unknown) => error);
    const recorded = await historiesOf(env.client, open, handle.firstExecutionRunId);
    await replay(bundle, recorded);
    return { handle: open, made, outcome, status: await lastStatus(open, outcome), histories: recorded.length };
  });
}

async function replay(workflowBundle: { code: string }, recorded: readonly Recorded[]): Promise<void> {
  const histories = recorded.map(({ id, history }) => ({ workflowId: id, history }));
  const options = { workflowBundle, dataConverter: CONVERTER };
  for await (const { error } of Worker.runReplayHistories(options, histories)) if (error !== undefined) throw error;
}

async function lastStatus(handle: WorkflowHandle, outcome: unknown): Promise<RunStatus> {
  if (!(outcome instanceof Error)) return (outcome as { status: RunStatus }).status;
  if (!(outcome instanceof WorkflowFailedError)) throw outcome;
  return (outcome.cause as unknown as { details?: [RunStatus] }).details?.[0] ?? query(handle);
}

const isLoading = (error: unknown): boolean => error instanceof Error && error.message.includes('RUN_CONTINUES');

/** The status of a run; null while it loads its checkpoint. */
const asked = (handle: WorkflowHandle): Promise<RunStatus | null> =>
  handle
    .query<RunStatus>(STATUS_QUERY)
    .catch((error: unknown) => (isLoading(error) ? null : Promise.reject(error as Error)));

async function query(handle: WorkflowHandle): Promise<RunStatus> {
  return (await untilAnswer(
    () => asked(handle),
    (status) => status !== null,
  ))!;
}

export async function until(handle: WorkflowHandle, holds: (status: RunStatus) => boolean): Promise<RunStatus> {
  const status = (await untilAnswer(
    () => asked(handle),
    (now) => now !== null && (holds(now) || now.state === 'ended'),
  ))!;
  if (!holds(status)) throw new Error(`ended: ${JSON.stringify(status.verdict)}`);
  return status;
}

export const is = (id: string, state: StepState) => (status: RunStatus) =>
  status.steps.some((step) => step.id === id && step.state === state);

export const firstAttempts = (skeleton: Skeleton): string[] => skeleton.steps.map(({ id }) => `${id} 1`).sort();

/** A step that goes on when it is told to, or ends with the abort. */
export class Gate {
  open!: () => void;
  readonly #opened = new Promise<void>((resolve) => (this.open = resolve));
  begun!: () => void;
  readonly reached = new Promise<void>((resolve) => (this.begun = resolve));

  async pass(signal?: AbortSignal): Promise<void> {
    this.begun();
    await (signal ? Promise.race([this.#opened, untilAborted(signal)]) : this.#opened);
  }
}
