/** @long @needs temporal */
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { fail } from '../../src/model/failure.js';
import type { RunStatus } from '../../src/model/messages.js';
import type { Skeleton } from '../../src/model/plan.js';
import { aProblem, aSkeleton, type Rough } from '../engine/a-skeleton.js';
import { bundleWorkflows, startTemporal } from '../temporal-env.js';
import { chain, firstAttempts, Gate, is, play, until, withLong } from './continuing.js';
import { ending, untilAborted } from './fake-activities.js';

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
const statesOf = ({ steps }: RunStatus): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { state } of steps) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
};

test.each([
  ['layers', layered(150), {}],
  ['layers and no cached workflow', layered(100), { maxCachedWorkflows: 0 }],
  ['a chain', chain(80), {}],
] as const)(
  'given %s, when the run continues as new again and again, then every step is executed exactly once',
  async (_, skeleton, options) => {
    const { status, made, histories } = await play(env, bundle, skeleton, { options });
    expect(status.verdict).toEqual({ verdict: 'released', reasons: [] });
    expect([...made].sort()).toEqual(firstAttempts(skeleton));
    expect(statesOf(status)).toEqual({ done: skeleton.steps.length });
    expect(histories).toBeGreaterThan(2);
    expect(status.history).toBe(histories);
  },
);

test('given a step that runs when the history is long, then nothing starts before it has ended', async () => {
  const gate = new Gate();
  const skeleton = withLong(60);
  let before: readonly string[] = [];
  const { status, made, histories } = await play(env, bundle, skeleton, {
    step: async ({ step }) => (step === 'long' && (await gate.pass()), ending),
    meanwhile: async (handle, begun) => {
      await until(
        handle,
        ({ steps }) => steps.filter(({ state }) => state === 'running').length === 1 && begun.length > 10,
      );
      before = [...begun];
      expect(await handle.executeUpdate('note', { args: [{ reason: 'why does it wait' }] })).toMatchObject({
        ok: true,
      });
      expect(begun).toEqual(before);
      expect((await until(handle, () => true)).waits).toContain('its history is long');
      gate.open();
    },
  });
  expect(before.length).toBeLessThan(60);
  expect([...made].sort()).toEqual(firstAttempts(skeleton));
  expect(status.verdict?.verdict).toBe('released');
  expect(histories).toBeGreaterThan(2);
});

test('given failures, retries, holds and actions over many histories, then each action has its answer and no attempt is made twice', async () => {
  const skeleton = layered(150, (step) => (step === 149 ? { needs: [], wants: [], after: [100] } : {}));
  const answers: unknown[] = [];
  const { status, made, histories } = await play(env, bundle, skeleton, {
    input: { onFailure: 'hold' },
    step: ({ step, attempt }) => {
      if (/[05]0$/.test(step) && attempt === 1) throw fail(aProblem({ class: 'infra' }));
      if (step === 'steps/s33' && attempt < 3) throw fail(aProblem());
      if (step === 'steps/s44') throw fail(aProblem());
      return ending;
    },
    meanwhile: async (handle) => {
      await until(handle, is('steps/s33', 'held'));
      const say = async (action: object): Promise<unknown> => handle.executeUpdate('send', { args: [action] });
      const [first, ...others] = await Promise.all([
        say({ action: 'retry', step: 'steps/s33' }),
        ...[1, 2, 3].map((no) => say({ action: 'note', reason: `note ${no}` })),
        say({ action: 'retry', step: 'steps/s0' }),
      ]);
      answers.push(...others);
      expect(first).toMatchObject({ ok: true });
      const again = (now: RunStatus): boolean =>
        now.steps.some(({ id, attempt }) => id === 'steps/s33' && attempt === 2);
      await until(handle, (now) => is('steps/s33', 'held')(now) && again(now));
      await handle.signal('retry', { step: 'steps/s33' });
      await until(handle, is('steps/s44', 'held'));
      expect(await say({ action: 'skip', step: 'steps/s44', reason: 'not today', by: 'ann' })).toEqual({
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
  expect(histories).toBeGreaterThan(2);
});

test('given a step that an earlier history ended, when it is retried with all behind it, then they run again', async () => {
  const gate = new Gate();
  const { steps, ...around } = withLong(60);
  const skeleton = { ...around, steps: steps.map((step) => (step.id === 'long' ? { ...step, after: [59] } : step)) };
  const { status, made } = await play(env, bundle, skeleton, {
    step: async ({ step, attempt }) => (step === 'long' && attempt === 1 && (await gate.pass()), ending),
    meanwhile: async (handle) => {
      await gate.reached;
      const answer = await handle.executeUpdate('retry', { args: [{ from: 'steps/s50' }] });
      expect(answer).toMatchObject({ ok: true, round: { round: 2 } });
      gate.open();
    },
  });
  expect(status.verdict?.verdict).toBe('released');
  expect(made.filter((one) => one.startsWith('steps/') && one.endsWith(' 2')).sort()).toEqual(
    Array.from({ length: 10 }, (_, at) => `steps/s${50 + at} 2`),
  );
});

test('given hundreds of held steps with megabytes of output, when the run continues as new, then all are held as before', async () => {
  const failing = 120;
  const steps = Array.from({ length: failing + 40 }, (_, step) => ({
    id: `steps/s${step}`,
    needs: step > failing ? [step - 1] : [],
  }));
  const evidence = Array.from({ length: 12 }, () => 'x'.repeat(1500));
  const { status, histories } = await play(env, bundle, aSkeleton(steps, { windows: { control: 40 } }), {
    input: { onFailure: 'hold', continueAfter: 200 },
    step: ({ step, attempt }) => {
      if (Number(step.slice('steps/s'.length)) < failing && attempt === 1) throw fail(aProblem({ evidence }));
      return ending;
    },
    meanwhile: async (handle) => {
      const { steps: all } = await until(handle, ({ state, history = 1 }) => state === 'held' && history > 1);
      const held = all.filter(({ state }) => state === 'held');
      expect(held).toHaveLength(failing);
      expect(await handle.executeUpdate('retry', { args: [{}] })).toMatchObject({ ok: true });
    },
  });
  expect(status.verdict?.verdict).toBe('released');
  expect(histories).toBeGreaterThan(2);
});

test.each(['cancel of the workflow', 'signal'])(
  'given a later history, when a %s arrives, then running steps are stopped and cleanup steps run',
  async (way) => {
    const gate = new Gate();
    const { steps, ...around } = chain(60);
    const tidy = { ...steps[0]!, id: 'tidy', needs: [], after: [steps.length - 1] };
    let aborted = false;
    const { status, made, handle } = await play(
      env,
      bundle,
      { ...around, steps: [...steps, tidy] },
      {
        step: async ({ step }, signal) => {
          if (step !== 'steps/s50') return ending;
          gate.begun();
          return untilAborted(signal).finally(() => (aborted = true));
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
