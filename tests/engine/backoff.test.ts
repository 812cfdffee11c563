import { backoffMs } from '../../src/engine/run/next-after-failure.js';

const policy = { times: 9, waitMs: 1000, atMostMs: 10_000 };

test.each([
  [1, 0.5, 500],
  [2, 0.5, 1000],
  [3, 0.999, 3996],
  [5, 0.5, 5000],
  [50, 0.5, 5000],
  [1, 0, 0],
])('given %s failures and chance %s, then the backoff is %s ms', (failed, random, ms) => {
  expect(backoffMs(policy, failed, random)).toBe(ms);
});

test('given a range of waits, then the wait is drawn evenly from it after any number of failures', () => {
  const range = { ...policy, waitMs: 1_800_000, waitToMs: 5_400_000 };
  expect(backoffMs(range, 1, 0)).toBe(1_800_000);
  expect(backoffMs(range, 7, 0.5)).toBe(3_600_000);
});
