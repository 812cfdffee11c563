/** @long @needs temporal */
import { Client } from '@temporalio/client';
import type { Payload, PayloadCodec } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createLoadCheckpoint, createSaveCheckpoint } from '../../src/activities/report/checkpoints.js';
import type { Store } from '../../src/activities/ports.js';
import type { Checkpoint } from '../../src/model/checkpoint.js';
import { fail, type SlipwayFailure } from '../../src/model/failure.js';
import { asApplicationFailure } from '../../src/activities/step/perform.js';
import { openConnection, releaseClient } from '../../src/client/open.js';
import { aProblem } from '../engine/a-skeleton.js';
import { CONVERTER } from '../support/converter.js';
import { bundleWorkflows, startTemporal } from '../temporal-env.js';
import { chain, Gate, is, play, until, withLong } from './continuing.js';
import { ending, fakeCheckpoints } from './fake-activities.js';
import { until as untilAnswer } from './until.js';

let env: TestWorkflowEnvironment;
let bundle: { code: string };
beforeAll(async () => {
  [env, bundle] = await Promise.all([startTemporal(), bundleWorkflows()]);
});
afterAll(() => env.teardown());

/** Holds the task that sends, or is given, the first payload with this text: what is said meanwhile comes exactly then. */
class Held implements PayloadCodec {
  reached!: () => void;
  readonly there = new Promise<void>((resolve) => (this.reached = resolve));
  release!: () => void;
  readonly #go = new Promise<void>((resolve) => (this.release = resolve));
  #held = false;

  constructor(
    private readonly text: string,
    private readonly way: 'leaves' | 'comes',
  ) {}

  encode(payloads: Payload[]): Promise<Payload[]> {
    return this.#look('leaves', payloads);
  }

  decode(payloads: Payload[]): Promise<Payload[]> {
    return this.#look('comes', payloads);
  }

  async #look(way: string, payloads: Payload[]): Promise<Payload[]> {
    if (way !== this.way || this.#held || !payloads.some(({ data }) => data && Buffer.from(data).includes(this.text)))
      return payloads;
    this.#held = true;
    this.reached();
    await this.#go;
    return payloads;
  }
}

/** In the order they come. `pendingNotifications` is a key of the checkpoint, `first` one of what the next history is told. */
const MOMENTS = [
  ['before the checkpoint is saved', '"pendingNotifications":', 'leaves'],
  ['while the checkpoint is being saved', '"pendingNotifications":', 'comes'],
  ['as the history closes', '"first":', 'leaves'],
  ['before the next history begins', '"first":', 'comes'],
  ['as the next history asks for the checkpoint', '"digest":', 'leaves'],
  ['while the checkpoint is being loaded', '"digest":', 'comes'],
] as const;

const heldAt = (text: string, way: 'leaves' | 'comes') => {
  const codec = new Held(text, way);
  return { codec, options: { dataConverter: { payloadCodecs: [codec] } } };
};

test.each(MOMENTS)(
  'given a pause that comes %s, then it holds, actions are answered, and a resume lets the run end',
  async (_, text, way) => {
    const { codec, options } = heldAt(text, way);
    const { status, made, histories } = await play(env, bundle, chain(40), {
      options,
      meanwhile: async (handle, begun) => {
        await codec.there;
        await handle.signal('pause', { reason: 'lunch' });
        const noted = handle.executeUpdate('note', { args: [{ reason: 'at the continuation' }] });
        codec.release();
        expect(await noted).toMatchObject({ ok: true });
        await until(handle, ({ state }) => state === 'paused');
        const before = begun.length;
        const action = { step: 'steps/s39', reason: 'not today' };
        expect(await handle.executeUpdate('skip', { args: [action] })).toMatchObject({ ok: true });
        expect(begun.length - before).toBeLessThan(2); // the one that was under way
        expect(await handle.executeUpdate('resume', { args: [{}] })).toMatchObject({ ok: true });
      },
    });
    expect(status.verdict?.verdict).toBe('released');
    expect(status.steps.find(({ id }) => id === 'steps/s39')?.state).toBe('skipped');
    expect([...made].sort()).toEqual(Array.from({ length: 39 }, (_each, step) => `steps/s${step} 1`).sort());
    expect(histories).toBeGreaterThan(1);
  },
);

test.each(MOMENTS)('given a cancel that comes %s, then the run ends as cancelled', async (_, text, way) => {
  const { codec, options } = heldAt(text, way);
  const { status, made } = await play(env, bundle, chain(40), {
    options,
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

test('given a step that fails while the run waits to continue, then it is held in the next history and can be retried', async () => {
  let fails!: () => void;
  const failing = new Promise<void>((resolve) => (fails = resolve));
  const { status, made, histories } = await play(env, bundle, withLong(40), {
    input: { onFailure: 'hold' },
    step: async ({ step, attempt }) => {
      if (step !== 'long' || attempt > 1) return ending;
      await failing;
      throw fail(aProblem());
    },
    meanwhile: async (handle, begun) => {
      await untilAnswer(
        async () => begun.length,
        (count) => count > 10,
      );
      fails();
      await until(handle, (now) => is('long', 'held')(now) && (now.history ?? 1) > 1);
      expect(await handle.executeUpdate('retry', { args: [{ step: 'long' }] })).toMatchObject({ ok: true });
    },
  });
  expect(status.verdict?.verdict).toBe('released');
  expect(made.filter((one) => one.startsWith('long'))).toEqual(['long 1', 'long 2']);
  expect(made).toHaveLength(42);
  expect(histories).toBeGreaterThan(1);
});

/** Loses the first answer to an action: the client meets an error in its place, once `moment` is over. */
const losingAnAnswer = (moment: () => Promise<unknown>): PayloadCodec => {
  let lost = false;
  return {
    encode: async (payloads) => payloads,
    decode: async (payloads) => {
      if (lost || !payloads.some(({ data }) => data && Buffer.from(data).includes('"did":'))) return payloads;
      lost = true;
      await moment();
      throw new Error('the answer was lost');
    },
  };
};

test('given a retry whose answer is lost, when the run continued as new meanwhile, then the client answers what the first history did', async () => {
  const gate = new Gate();
  const { made, histories } = await play(env, bundle, withLong(40), {
    input: { onFailure: 'hold' },
    step: async ({ step, attempt }, signal) => {
      if (step === 'long' && attempt === 1) throw fail(aProblem());
      if (step === 'steps/s3') await gate.pass(signal);
      return ending;
    },
    meanwhile: async (handle) => {
      const { history: first = 1 } = await until(handle, is('long', 'held'));
      const continued = (): Promise<unknown> => (gate.open(), until(handle, ({ history = 1 }) => history > first));
      const codecs = [losingAnAnswer(continued), ...CONVERTER.payloadCodecs];
      const { connection, ...opened } = await openConnection({ address: env.address });
      const converted = new Client({ connection, dataConverter: { payloadCodecs: codecs } });
      const client = releaseClient({ ...opened, connection, client: converted });
      const answer = await client.act(handle.workflowId, { action: 'retry', step: 'long' });
      await client.close();
      expect(answer).toMatchObject({ ok: true, steps: ['long'] });
    },
  });
  expect(made.filter((one) => one.startsWith('long'))).toEqual(['long 1', 'long 2']);
  expect(histories).toBeGreaterThan(1);
});

/** Saves checkpoints as the worker does, into a store whose owner changes them. */
function changed(change: (checkpoint: Checkpoint) => Checkpoint | null): object {
  const records = new Map<string, object>();
  const store = {
    create: async (name: string, value: object) => ({ created: !!records.set(name, value), value }),
    read: async (name: string) => change(records.get(name) as Checkpoint),
  } as unknown as Store;
  const coded = async <T>(asked: Promise<T>): Promise<T> =>
    asked.catch((error: SlipwayFailure) => {
      throw asApplicationFailure(error.problems);
    });
  return {
    saveCheckpoint: createSaveCheckpoint(store),
    loadCheckpoint: (input: never) => coded(createLoadCheckpoint(store)(input)),
  };
}

test.each<[what: string, change: (checkpoint: Checkpoint) => Checkpoint | null, code: string]>([
  ['is missing', () => null, 'CHECKPOINT_MISSING'],
  ['says that gates were passed', (one) => ({ ...one, cancelled: 'x' }), 'CHECKPOINT_ALTERED'],
])(
  'given a checkpoint that %s, then the run fails with the reason, and executes nothing more',
  async (_, change, code) => {
    const { status, made, histories } = await play(env, bundle, chain(60), { activities: changed(change) });
    expect(status.verdict?.verdict).toBe('failed');
    expect(status.problems).toMatchObject([{ code, next: expect.stringContaining('start the release again') }]);
    expect(made.length).toBeLessThan(60);
    expect(histories).toBe(2);
  },
);

test.each<[what: string, change: (checkpoint: Checkpoint) => unknown, fault: RegExp]>([
  ['another plan', (one) => ({ ...one, skeleton: { ...one.skeleton, plan: `sha256:${'0'.repeat(64)}` } }), /plan/],
  ['no steps', (one) => ({ ...one, scheduler: {} }), /steps|run/],
  ['nothing', () => null, /object/],
])(
  'given a program that returns %s as the checkpoint, when others return the correct one, then the run goes on',
  async (_, change) => {
    const ours = fakeCheckpoints();
    let asked = 0;
    const { status } = await play(env, bundle, chain(40), {
      activities: {
        ...ours,
        loadCheckpoint: async (input: never) => {
          const right = await ours.loadCheckpoint(input);
          return asked++ === 0 ? change(right) : right;
        },
      },
    });
    expect(asked).toBeGreaterThan(1);
    expect(status.verdict?.verdict).toBe('released');
  },
);

test('given a checkpoint of a newer engine, then the run fails and lists the engines of this build', async () => {
  const ours = fakeCheckpoints();
  const { status } = await play(env, bundle, chain(40), {
    activities: {
      ...ours,
      loadCheckpoint: async (input: never) => {
        const { scheduler, ...around } = await ours.loadCheckpoint(input);
        const { run, ...others } = scheduler as { run: object };
        return { ...around, scheduler: { ...others, run: { ...run, engine: 99 } } };
      },
    },
  });
  expect(status.problems).toMatchObject([{ code: 'ENGINE_UNKNOWN' }]);
});

test('given input that names a checkpoint, when a person starts the run by hand, then it is refused', async () => {
  const continued = {
    ...{ checkpoint: `sha256:${'0'.repeat(64)}` as const, run: 'other', first: 'other' },
    ...{ startedAt: 0, history: 2, inputs: 0, actions: 0 },
  };
  const { status, made } = await play(env, bundle, chain(3), { input: { continued } });
  expect(status.problems).toMatchObject([{ code: 'CONTINUED_BY_HAND' }]);
  expect(status.run).not.toBe('other');
  expect(made).toEqual([]);
});
