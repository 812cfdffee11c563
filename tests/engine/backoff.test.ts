import { backoffMs } from '../../src/engine/run/backoff.js';

const policy = { times: 9, waitMs: 1000, atMostMs: 10_000 };

test.each([
  [1, 0.5, 500],
  [2, 0.5, 1000],
  [3, 0.999, 3996],
  [5, 0.5, 5000],
  [50, 0.5, 5000],
  [1, 0, 0],
])('after %s failures and chance %s: %s ms', (failed, random, ms) => {
  expect(backoffMs(policy, failed, random)).toBe(ms);
});

test('a range is drawn from evenly, however often it failed', () => {
  const range = { ...policy, waitMs: 1_800_000, waitToMs: 5_400_000 };
  expect(backoffMs(range, 1, 0)).toBe(1_800_000);
  expect(backoffMs(range, 7, 0.5)).toBe(3_600_000);
});
