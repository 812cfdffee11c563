/** @needs temporal */
import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker, type WorkerOptions } from '@temporalio/worker';
import { fail } from '../../src/model/failure.js';
import {
  STATUS_QUERY,
  type ReleaseInput,
  type RunStatus,
  type StepInput,
  type StepState,
} from '../../src/model/messages.js';
import type { Skeleton } from '../../src/model/plan.js';
import { aProblem, aSkeleton, type Rough } from '../engine/a-skeleton.js';
import { CONVERTER } from '../support/converter.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { ending, fakeActivities, untilAborted, type FakeStep } from './fake-activities.js';
import { historiesOf } from './histories-of.js';
import { until as untilAnswer } from './until.js';

let env: TestWorkflowEnvironment;
let bundle: { code: string };
beforeAll(async () => {
  [env, bundle] = await Promise.all([startTemporal(), bundleWorkflows()]);
});
afterAll(() => env.teardown());

/** Steps of which each needs up to three of those shortly before it. */
const layered = (count: number, more: (step: number) => Partial<Rough> = () => ({})): Skeleton => {
  const steps = Array.from({ length: count }, (_, step): Rough => {
    const needs = [step - 7, step - 11, step - 13].filter((on) => on >= 0 && step % 10 !== 0);
    return { id: `steps/s${step}`, needs, ...more(step) };
  });
  return aSkeleton(steps, { windows: { control: 20 } });
};
const chain = (count: number): Skeleton =>
  aSkeleton(Array.from({ length: count }, (_, step) => ({ id: `steps/s${step}`, needs: step > 0 ? [step - 1] : [] })));

let count = 0;
interface Ran {
  readonly handle: WorkflowHandle;
  readonly status: RunStatus;
  /** Attempts by step, in the order they were made. */
  readonly made: readonly string[];
  readonly generations: number;
}

interface Play {
  readonly step?: FakeStep;
  readonly input?: Partial<ReleaseInput>;
  readonly options?: Partial<WorkerOptions>;
  readonly meanwhile?: (handle: WorkflowHandle, made: readonly string[]) => Promise<void>;
}

async function carryOut(
  skeleton: Skeleton,
  { step = () => ending, input, options, meanwhile }: Play = {},
): Promise<Ran> {
  const made: string[] = [];
  const noted: FakeStep = (given, signal) => (made.push(nameOf(given)), step(given, signal));
  const worker = await makeWorker(
    env,
    bundle,
    fakeActivities(() => skeleton, noted),
    options,
  );
  return worker.runUntil(async () => {
    const handle = await env.client.workflow.start('release', {
      workflowId: `release/many/1.${++count}`,
      taskQueue: 'control',
      args: [{ file: 'slipway.yaml', onFailure: 'fail', handOverAfter: 150, ...input }],
    });
    await meanwhile?.(handle, made).catch(async (error: unknown) => {
      await handle.terminate(); // else the next test's worker goes on with it
      throw error;
    });
    await handle.result().catch(() => undefined);
    return { handle, made, status: await lastStatus(handle), generations: await replayed(handle) };
  });
}
const nameOf = ({ step, attempt }: StepInput): string => `${step} ${attempt}`;

async function lastStatus(handle: WorkflowHandle): Promise<RunStatus> {
  const outcome = await handle.result().catch((error: Error) => error);
  if (!(outcome instanceof Error)) return (outcome as { status: RunStatus }).status;
  if (!(outcome instanceof WorkflowFailedError)) throw outcome;
  return (outcome.cause as unknown as { details?: [RunStatus] }).details?.[0] ?? query(handle);
}
const query = (handle: WorkflowHandle): Promise<RunStatus> => handle.query<RunStatus>(STATUS_QUERY);

/** Replays every history of the run; answers how many generations there were. */
async function replayed(handle: WorkflowHandle): Promise<number> {
  const recorded = await historiesOf(env.client, handle);
  for (const { id, history } of recorded)
    await Worker.runReplayHistory({ workflowBundle: bundle, dataConverter: CONVERTER }, history, id);
  return recorded.length;
}

const all = (skeleton: Skeleton, attempt = 1): string[] => skeleton.steps.map(({ id }) => `${id} ${attempt}`).sort();
const statesOf = ({ steps }: RunStatus): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { state } of steps) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
};
async function until(handle: WorkflowHandle, holds: (status: RunStatus) => boolean): Promise<RunStatus> {
  const status = await untilAnswer(
    () => query(handle),
    (now) => holds(now) || now.state === 'ended',
  );
  if (!holds(status)) throw new Error(`ended: ${JSON.stringify(status.verdict)}`);
  return status;
}
const is = (id: string, state: StepState) => (status: RunStatus) =>
  status.steps.some((step) => step.id === id && step.state === state);

test.each([
  ['layered', layered(200), {}],
  ['layered, nothing cached', layered(120), { maxCachedWorkflows: 0 }],
  ['chain', chain(100), {}],
] as const)('%s: every step is made exactly once over many generations', async (_, skeleton, options) => {
  const { status, made, generations } = await carryOut(skeleton, { options });
  expect(status.verdict).toEqual({ verdict: 'released', reasons: [] });
  expect([...made].sort()).toEqual(all(skeleton));
  expect(statesOf(status)).toEqual({ done: skeleton.steps.length });
  expect(generations).toBeGreaterThan(2);
});

/** Ends when it is told to, or with the abort. */
class Gate {
  open!: () => void;
  readonly #opened = new Promise<void>((resolve) => (this.open = resolve));
  begun!: () => void;
  readonly reached = new Promise<void>((resolve) => (this.begun = resolve));

  async pass(signal?: AbortSignal): Promise<void> {
    this.begun();
    await (signal ? Promise.race([this.#opened, untilAborted(signal)]) : this.#opened);
  }
}
/** A step that many others do not wait for, and that lasts over many generations. */
const withLong = (count: number): Skeleton => {
  const { steps, ...around } = chain(count);
  return { ...around, steps: [...steps, { ...steps[0]!, id: 'long', needs: [] }] };
};

test('a long step lasts over many generations, and its end reaches the one that decides', async () => {
  const gate = new Gate();
  const skeleton = withLong(90);
  const { status, made, generations } = await carryOut(skeleton, {
    step: async ({ step }) => (step === 'long' && (await gate.pass()), ending),
    meanwhile: async (handle) => {
      await until(handle, is('steps/s89', 'done'));
      gate.open();
    },
  });
  expect([...made].sort()).toEqual(all(skeleton));
  expect(status.verdict?.verdict).toBe('released');
  expect(generations).toBeGreaterThan(2);
});

test('what an earlier generation started is stopped by a word, and held; then it is tried again', async () => {
  const skeleton = withLong(60);
  const { status, made } = await carryOut(skeleton, {
    input: { onFailure: 'hold' },
    step: async ({ step, attempt }, signal) => (step === 'long' && attempt === 1 ? untilAborted(signal) : ending),
    meanwhile: async (handle) => {
      await until(handle, is('steps/s59', 'done'));
      const answer = await handle.executeUpdate('cancel', { args: [{ step: 'long', reason: 'hangs', by: 'ann' }] });
      expect(answer).toMatchObject({ ok: true });
      await until(handle, is('long', 'held'));
      expect(await handle.executeUpdate('retry', { args: [{ step: 'long' }] })).toMatchObject({ ok: true });
    },
  });
  expect(made.filter((one) => one.startsWith('long'))).toEqual(['long 1', 'long 2']);
  expect(status.verdict?.verdict).toBe('released');
});

test('failures are tried again, held or taken along as in one workflow; words in a stream of hand-overs each get an answer', async () => {
  const skeleton = layered(150, (step) => (step === 149 ? { needs: [], wants: [], after: [100] } : {}));
  const answers: unknown[] = [];
  const { status, made } = await carryOut(skeleton, {
    input: { onFailure: 'hold' },
    step: ({ step, attempt }) => {
      if (/[05]0$/.test(step) && attempt === 1) throw fail(aProblem({ class: 'infra' }));
      if (step === 'steps/s33' && attempt < 3) throw fail(aProblem());
      if (step === 'steps/s44') throw fail(aProblem());
      return ending;
    },
    meanwhile: async (handle) => {
      await until(handle, is('steps/s33', 'held'));
      const say = async (word: object): Promise<unknown> => handle.executeUpdate('say', { args: [word] });
      const [first, ...others] = await Promise.all([
        say({ word: 'retry', step: 'steps/s33' }),
        ...[1, 2, 3].map((no) => say({ word: 'note', reason: `note ${no}` })),
        say({ word: 'retry', step: 'steps/s0' }),
      ]);
      answers.push(...others);
      expect(first).toMatchObject({ ok: true });
      await until(
        handle,
        (now) =>
          is('steps/s33', 'held')(now) && now.steps.some(({ id, attempt }) => id === 'steps/s33' && attempt === 2),
      );
      await handle.signal('retry', { step: 'steps/s33' });
      await until(handle, is('steps/s44', 'held'));
      expect(await say({ word: 'skip', step: 'steps/s44', reason: 'not today', by: 'ann' })).toEqual({
        ok: true,
        did: 'steps/s44 is left out',
        steps: ['steps/s44'],
      });
    },
  });
  expect(answers).toMatchObject([{ ok: true }, { ok: true }, { ok: true }, { problem: { code: 'STEP_NOT_HELD' } }]);
  expect(made.filter((one) => one.startsWith('steps/s33 '))).toEqual(['steps/s33 1', 'steps/s33 2', 'steps/s33 3']);
  expect(status.verdict?.verdict).toBe('released');
  expect(status.steps.filter(({ state }) => state === 'skipped').length).toBeGreaterThan(0);
  expect(new Set(made).size).toBe(made.length);
});

test('a step that is done runs again with all behind it, though the generation never knew it', async () => {
  const gate = new Gate();
  const skeleton = withLong(60);
  const { status, made } = await carryOut(skeleton, {
    step: async ({ step }) => (step === 'long' && (await gate.pass()), ending),
    meanwhile: async (handle) => {
      await until(handle, is('steps/s59', 'done'));
      const answer = await handle.executeUpdate('retry', { args: [{ from: 'steps/s50' }] });
      expect(answer).toMatchObject({ ok: true, round: { round: 2 } });
      await until(handle, (now) =>
        now.steps.some(({ id, state, attempt }) => id === 'steps/s59' && state === 'done' && attempt === 2),
      );
      gate.open();
    },
  });
  expect(status.verdict?.verdict).toBe('released');
  expect(made.filter((one) => one.endsWith(' 2')).sort()).toEqual(
    Array.from({ length: 10 }, (_, at) => `steps/s${50 + at} 2`),
  );
});

test('pause and resume between hand-overs: nothing starts meanwhile', async () => {
  const gate = new Gate();
  const skeleton = chain(90);
  const { status, made } = await carryOut(skeleton, {
    step: async ({ step }) => (step === 'steps/s60' && (await gate.pass()), ending),
    meanwhile: async (handle, begun) => {
      await gate.reached;
      await handle.executeUpdate('pause', { args: [{ reason: 'lunch' }] });
      gate.open();
      const { paused } = await until(handle, ({ state }) => state === 'paused');
      expect(paused).toBe('lunch');
      await until(handle, ({ steps }) => !steps.some(({ state }) => state === 'running'));
      const before = begun.length;
      await handle.executeUpdate('note', { args: [{ reason: 'back soon' }] });
      expect(begun.length).toBe(before);
      await handle.executeUpdate('resume', { args: [{}] });
    },
  });
  expect([...made].sort()).toEqual(all(skeleton));
  expect(status.verdict?.verdict).toBe('released');
});

test.each(['cancel of the workflow', 'signal'])(
  '%s: what every generation started is stopped, and what tidies up runs',
  async (way) => {
    const gate = new Gate();
    const { steps, ...around } = withLong(90);
    const tidy = { ...steps[0]!, id: 'tidy', needs: [], after: [steps.length - 1] };
    let aborted = false;
    const { status, made, handle } = await carryOut(
      { ...around, steps: [...steps, tidy] },
      {
        step: async ({ step }, signal) => {
          if (step === 'long') return untilAborted(signal).finally(() => (aborted = true));
          if (step === 'steps/s60') await gate.pass(signal);
          return ending;
        },
        meanwhile: async (open) => {
          await gate.reached;
          if (way === 'signal') await open.signal('cancel', { reason: 'wrong branch', by: 'ann' });
          else await open.cancel();
          await open.result().catch(() => undefined);
        },
      },
    );
    expect(aborted).toBe(true);
    expect(made).toContain('tidy 1');
    expect((await handle.describe()).status.name).toBe('CANCELLED');
    expect(status.verdict?.verdict).toBe('cancelled');
    expect(new Set(made).size).toBe(made.length);
  },
);
