/** @needs temporal */
import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import type { ApplicationFailure, Payload, PayloadCodec } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { fail } from '../../src/model/failure.js';
import type { ReleaseInput, RunStatus } from '../../src/model/messages.js';
import type { Skeleton } from '../../src/model/plan.js';
import { aProblem, aSkeleton } from '../engine/a-skeleton.js';
import { CONVERTER } from '../support/converter.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { ending, fakeActivities, untilAborted, type FakeStep } from './fake-activities.js';
import { historiesOf } from './histories-of.js';
import { until } from './until.js';

let env: TestWorkflowEnvironment;
let bundle: { code: string };
beforeAll(async () => {
  [env, bundle] = await Promise.all([startTemporal(), bundleWorkflows()]);
});
afterAll(() => env.teardown());

/** Holds the task that sends, or is given, the first message with this sign: what is said meanwhile comes exactly then. */
class Held implements PayloadCodec {
  reached!: () => void;
  readonly there = new Promise<void>((resolve) => (this.reached = resolve));
  release!: () => void;
  readonly #go = new Promise<void>((resolve) => (this.release = resolve));
  #held = false;

  constructor(
    private readonly sign: string,
    private readonly way: 'leaves' | 'comes',
  ) {}

  encode(payloads: Payload[]): Promise<Payload[]> {
    return this.#look('leaves', payloads);
  }

  decode(payloads: Payload[]): Promise<Payload[]> {
    return this.#look('comes', payloads);
  }

  async #look(way: string, payloads: Payload[]): Promise<Payload[]> {
    if (way !== this.way || this.#held || !payloads.some(({ data }) => data && Buffer.from(data).includes(this.sign)))
      return payloads;
    this.#held = true;
    this.reached();
    await this.#go;
    return payloads;
  }
}

const chain = (count: number): Skeleton =>
  aSkeleton(Array.from({ length: count }, (_, step) => ({ id: `steps/s${step}`, needs: step > 0 ? [step - 1] : [] })));

let count = 0;
interface Play {
  readonly skeleton?: Skeleton;
  readonly input?: Partial<ReleaseInput>;
  readonly step?: FakeStep;
  readonly codec?: PayloadCodec;
  readonly meanwhile: (handle: WorkflowHandle, made: readonly string[]) => Promise<void>;
}

/** Answers how the run closed, its last status, and the attempts that were made; all its histories have been replayed. */
async function play({ skeleton = chain(40), input, step = () => ending, codec, meanwhile }: Play) {
  const made: string[] = [];
  const noted: FakeStep = (given, signal) => (made.push(given.step), step(given, signal));
  const options = codec ? { dataConverter: { payloadCodecs: [codec, ...CONVERTER.payloadCodecs] } } : {};
  const activities = fakeActivities(() => skeleton, noted);
  const worker = await makeWorker(env, bundle, activities, options);
  return worker.runUntil(async () => {
    const handle = await env.client.workflow.start('release', {
      workflowId: `release/over/1.${++count}`,
      taskQueue: 'control',
      args: [{ file: 'slipway.yaml', onFailure: 'fail', handOverAfter: 60, ...input }],
    });
    await meanwhile(handle, made);
    const outcome: unknown = await handle.result().catch((error: unknown) => error);
    const status = await handle.query<RunStatus>('status');
    for (const { id, history } of await historiesOf(env.client, handle))
      await Worker.runReplayHistory({ workflowBundle: bundle, dataConverter: CONVERTER }, history, id);
    return { made, status, outcome };
  });
}

const statusOf = (handle: WorkflowHandle) => (): Promise<RunStatus> => handle.query<RunStatus>('status');

const MOMENTS = [
  ['the root is about to start the child', '"baggage":', 'leaves'],
  ['the child has not had its first task', '"baggage":', 'comes'],
  ['a generation is about to tell that it hands over', '"handedOver":', 'leaves'],
  ['the root hears that a generation hands over', '"handedOver":', 'comes'],
] as const;

test.each(MOMENTS)(
  '%s: a pause that comes then holds, words are answered, a resume lets it end',
  async (_, sign, way) => {
    const codec = new Held(sign, way);
    const { status, made } = await play({
      codec,
      meanwhile: async (handle, begun) => {
        await codec.there;
        await handle.signal('pause', { reason: 'lunch' });
        const noted = handle.executeUpdate('note', { args: [{ reason: 'during a hand-over' }] });
        codec.release();
        expect(await noted).toMatchObject({ ok: true });
        await until(statusOf(handle), ({ state }) => state === 'paused');
        const before = begun.length;
        expect(
          await handle.executeUpdate('skip', { args: [{ step: 'steps/s39', reason: 'not today' }] }),
        ).toMatchObject({
          ok: true,
        });
        expect(begun.length - before).toBeLessThan(2); // the one that was under way
        expect(await handle.executeUpdate('resume', { args: [{}] })).toMatchObject({ ok: true });
      },
    });
    expect(status.verdict?.verdict).toBe('released');
    expect(status.steps.find(({ id }) => id === 'steps/s39')?.state).toBe('skipped');
    expect([...made].sort()).toEqual(Array.from({ length: 39 }, (_each, step) => `steps/s${step}`).sort());
  },
);

test.each(MOMENTS)('%s: a cancel that comes then ends the run as cancelled', async (_, sign, way) => {
  const codec = new Held(sign, way);
  const { status, made } = await play({
    codec,
    meanwhile: async (handle) => {
      await codec.there;
      await handle.signal('cancel', { reason: 'wrong branch' });
      codec.release();
    },
  });
  expect(status.verdict).toMatchObject({ verdict: 'cancelled' });
  expect(made.length).toBeLessThan(40);
  expect(new Set(made).size).toBe(made.length);
});

test('a failure and a hold that come during a hand-over reach the next one', async () => {
  const codec = new Held('"baggage":', 'leaves');
  const { steps, ...around } = chain(40);
  const { status, made } = await play({
    codec,
    skeleton: { ...around, steps: [...steps, { ...steps[0]!, id: 'long' }] },
    input: { onFailure: 'hold' },
    step: async ({ step, attempt }) => {
      if (step !== 'long' || attempt > 1) return ending;
      await codec.there; // started by the root, fails while the child is asked for
      throw fail(aProblem());
    },
    meanwhile: async (handle) => {
      await codec.there;
      const isLong = ({ activityId }: { activityId?: string | null }): boolean => activityId === 'long';
      await until(
        () => handle.describe(),
        ({ raw }) => !raw.pendingActivities?.some(isLong),
      );
      codec.release();
      await until(statusOf(handle), ({ steps: all }) => all.some(({ id, state }) => id === 'long' && state === 'held'));
      expect(await handle.executeUpdate('retry', { args: [{ step: 'long' }] })).toMatchObject({ ok: true });
    },
  });
  expect(status.verdict?.verdict).toBe('released');
  expect(made.filter((step) => step === 'long')).toHaveLength(2);
  expect(made).toHaveLength(42);
});

test('hundreds of held steps with megabytes of output cross hand-overs', async () => {
  const failing = 120;
  const steps = Array.from({ length: failing + 40 }, (_, step) => ({
    id: `steps/s${step}`,
    needs: step > failing ? [step - 1] : [],
  }));
  const evidence = Array.from({ length: 12 }, () => 'x'.repeat(1500));
  const { status } = await play({
    skeleton: aSkeleton(steps, { windows: { control: 40 } }),
    input: { onFailure: 'hold', handOverAfter: 200 },
    step: ({ step, attempt }) => {
      if (Number(step.slice('steps/s'.length)) < failing && attempt === 1) throw fail(aProblem({ evidence }));
      return ending;
    },
    meanwhile: async (handle) => {
      await until(statusOf(handle), ({ state }) => state === 'held');
      const { raw, historySize } = await handle.describe();
      expect(raw.pendingChildren?.length).toBeGreaterThan(0);
      expect(historySize).toBeLessThan(1.5 * failing * JSON.stringify(evidence).length); // each output once
      expect(await handle.executeUpdate('retry', { args: [{}] })).toMatchObject({ ok: true });
    },
  });
  expect(status.verdict?.verdict).toBe('released');
});

/** The generation that carries out step 30. */
async function decidingOne(handle: WorkflowHandle): Promise<WorkflowHandle | null> {
  for (const { workflowId } of (await handle.describe()).raw.pendingChildren ?? []) {
    const child = env.client.workflow.getHandle(workflowId!);
    const { pendingActivities } = (await child.describe()).raw;
    if (pendingActivities?.some(({ activityId }) => activityId === 'steps/s30')) return child;
  }
  return null;
}

test('the generation that decides is terminated from outside: the run fails, and says what to do', async () => {
  const { outcome, status } = await play({
    step: ({ step }, signal) => (step === 'steps/s30' ? untilAborted(signal) : ending),
    meanwhile: async (handle) => {
      const deciding = await until(
        () => decidingOne(handle),
        (found) => found !== null,
      );
      await deciding!.terminate('by hand');
    },
  });
  expect(outcome).toBeInstanceOf(WorkflowFailedError);
  expect(((outcome as WorkflowFailedError).cause as ApplicationFailure).message).toMatch(/GENERATION_CLOSED/);
  expect(status.problems).toMatchObject([{ code: 'GENERATION_CLOSED', next: expect.stringMatching(/report/) }]);
});
