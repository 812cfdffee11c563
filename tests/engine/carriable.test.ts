import { assertCarriable } from '../../src/engine/carriable.js';

const planOf = (steps: number) => ({ steps: Array.from({ length: steps }) });

test('20,000 steps are carried out', () => {
  expect(() => assertCarriable(planOf(20_000))).not.toThrow();
});

test('a plan with more is refused, with its count, the limit, and how to split it', () => {
  expect(() => assertCarriable(planOf(20_001))).toThrow(
    expect.objectContaining({
      problems: [
        {
          code: 'PLAN_TOO_LARGE',
          class: 'config',
          message: 'the plan has 20001 steps; one run carries at most 20000',
          next: expect.stringMatching(/^Split the release: .*platforms.*tests/),
        },
      ],
    }),
  );
});
