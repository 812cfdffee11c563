import { afterRefusal, classOf, isRefusal, next } from '../../src/engine/run/next-after-failure.js';
import type { FailureClass } from '../../src/model/failure.js';
import { aProblem, RETRY } from './a-skeleton.js';

test('given failures of several classes, then each class has its own retry budget', () => {
  expect(next(RETRY, ['infra', 'infra'], 0.5)).toEqual({ do: 'again', inMs: 1000, because: 'infra: try again 2 of 2' });
  expect(next(RETRY, ['infra', 'infra', 'infra'], 0.5)).toEqual({ do: 'end', as: 'failed' });
  expect(next(RETRY, ['infra', 'infra', 'lost'], 0.5)).toMatchObject({
    do: 'again',
    because: 'lost: try again 1 of 3',
  });
});

test.each(['product', 'config', 'denied', 'conflict', 'cancelled', 'bug'] as const)(
  'given a failure of class %s, then it is not retried',
  (last) => {
    expect(next(RETRY, [last], 0.5)).toEqual({ do: 'end', as: 'failed' });
  },
);

test.each([
  [['infra', 'product'], 'product'],
  [['infra', 'conflict', 'bug'], 'conflict'],
  [['lost', 'infra'], 'infra'],
  [[], 'bug'],
] as const)(
  'given problems of several classes, then a class that a retry cannot fix decides: %j',
  (classes, decides) => {
    const problems = (classes as readonly FailureClass[]).map((one) => aProblem({ class: one }));
    expect(classOf(problems)).toBe(decides);
  },
);

test('given refusals by workers with other tools, then the step is retried with long waits, up to a limit', () => {
  expect(isRefusal([aProblem({ code: 'TOOLCHAIN_DIFFERS', class: 'infra' })])).toBe(true);
  expect(isRefusal([aProblem()])).toBe(false);
  const moves = Array.from({ length: 100 }, (_, at) => afterRefusal(at + 1, 1));
  const waits = moves.flatMap((move) => (move.do === 'again' ? [move.inMs] : []));
  expect(Math.max(...waits)).toBe(30_000);
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(15 * 60_000);
  expect(moves.at(-1)).toEqual({ do: 'end', as: 'failed' });
});
