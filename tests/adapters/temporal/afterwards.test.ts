import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { ActivityNotFoundError } from '@temporalio/client';
import { createAfterwards } from '../../../src/adapters/temporal/afterwards.js';
import type { StepEnding } from '../../../src/model/messages.js';

const DONE: StepEnding = { outcome: 'done', note: '', ms: 1, worker: 'test@here' };
const token = (text: string): Uint8Array => Buffer.from(text);

/** What was told, in order; `refuses` is thrown instead. */
function fakeClient(refuses: Error | null = null) {
  const told: string[] = [];
  const tell =
    (how: string) =>
    async (of: unknown, what?: unknown): Promise<void> => {
      const said = what instanceof Error ? what.message : ((what as StepEnding | undefined)?.outcome ?? '');
      told.push(`${how} ${Buffer.from(of as Uint8Array).toString()} ${said}`.trim());
      if (refuses !== null) throw refuses;
    };
  const client = {
    complete: tell('complete'),
    fail: tell('fail'),
    reportCancellation: tell('cancelled'),
    heartbeat: tell('heartbeat'),
  };
  return { told, client };
}

test('given pending endings, then each is reported once with its outcome', async () => {
  const { told, client } = fakeClient();
  const keeping = createAfterwards(client, 3);
  const beat = () => ({});
  expect(keeping.take(token('a'), Promise.resolve(DONE), beat, fail)).toBe(true);
  expect(keeping.take(token('b'), Promise.reject(ApplicationFailure.nonRetryable('disk full')), beat, fail)).toBe(true);
  expect(keeping.take(token('c'), Promise.reject(new CancelledFailure('stopped')), beat, fail)).toBe(true);
  await keeping.idle();
  expect([...told].sort()).toEqual(['cancelled c', 'complete a done', 'fail b disk full']);
});

test('given the limit of pending endings, then no more are accepted until one ends', async () => {
  const { told, client } = fakeClient();
  const keeping = createAfterwards(client, 1);
  let end!: (ending: StepEnding) => void;
  const slow = new Promise<StepEnding>((resolve) => (end = resolve));
  expect(keeping.take(token('a'), slow, () => ({}), fail)).toBe(true);
  expect(keeping.take(token('b'), Promise.resolve(DONE), () => ({}), fail)).toBe(false);
  end(DONE);
  await keeping.idle();
  expect(keeping.take(token('c'), Promise.resolve(DONE), () => ({}), fail)).toBe(true);
  await keeping.idle();
  expect(told).toEqual(['complete a done', 'complete c done']);
});

test('given an ending that Temporal no longer expects, then it is ignored; a failed report is not', async () => {
  const lost: unknown[] = [];
  const away = new Error('server is away');
  for (const refuses of [new ActivityNotFoundError('gone'), away]) {
    const keeping = createAfterwards(fakeClient(refuses).client, 1);
    keeping.take(
      token('a'),
      Promise.resolve(DONE),
      () => ({}),
      (error) => lost.push(error),
    );
    await keeping.idle();
  }
  expect(lost).toEqual([away]);
});

const fail = (error: unknown): never => {
  throw error;
};
