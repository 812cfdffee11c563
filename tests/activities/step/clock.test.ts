/** @slow */
import type { Result } from '../../../src/model/result.js';
import { records } from '../../../src/model/run-folder.js';
import { aStep } from '../../support/run-body.js';
import { done, failureOf, pure, world } from './a-world.js';

const DAY_MS = 86_400_000;

/** A machine whose clock somebody puts back in the middle of each attempt. */
async function put(back: number, step = pure) {
  let nowMs = Date.parse('2026-11-21T12:00:00.000Z');
  const put = await world(step, { around: { now: () => nowMs } });
  return { ...put, jump: () => void (nowMs -= back) };
}

test('when the clock is set back, then the measured duration of an attempt is still right', async () => {
  const { around, perform, jump } = await put(DAY_MS);
  const ending = await perform(async (work) => (jump(), done(work)));
  const { made } = (await around.store.read<Result>(records.result('run-0001', pure.id)))!;
  for (const { ms } of [ending, made]) {
    expect(ms).toBeGreaterThanOrEqual(0);
    expect(ms).toBeLessThan(DAY_MS / 24);
  }
  expect(made.at).toBe('2026-11-20T12:00:00.000Z');
});

test('when the clock is set forward, then a program still has its whole limit', async () => {
  const { perform, jump } = await put(-DAY_MS, aStep('takeSdist', { project: 'skiff' }, { limitMs: DAY_MS / 24 }));
  await expect(perform(async (work) => (jump(), done(work)))).resolves.toMatchObject({ outcome: 'done' });
});

test('when the clock is set back, then a program has no more than its limit', async () => {
  const { perform, jump } = await put(DAY_MS, aStep('takeSdist', { project: 'skiff' }, { limitMs: 1500 }));
  const { details } = await failureOf(perform(async (work) => (jump(), await work.must('sleep 600'), done(work))));
  expect(details.problems[0]).toMatchObject({ code: 'LIMIT_REACHED' });
});
