import { assertPlanSize } from '../../src/engine/run/assert-plan-size.js';

const planOf = (tests: number, wheels: number) => ({
  steps: [
    ...Array.from({ length: wheels }, (_, no) => ({ id: `wheels/skiff/cp311/${no}` })),
    ...Array.from({ length: tests }, (_, no) => ({ id: `tests/smoke/${no}` })),
  ],
});

test('given a plan of 20,000 steps, then it is accepted', () => {
  expect(() => assertPlanSize(planOf(19_000, 1000))).not.toThrow();
});

test('given a larger plan, then it is refused with its count, the limit, the largest entries and how to split it', () => {
  expect(() => assertPlanSize(planOf(19_000, 1001))).toThrow(
    expect.objectContaining({
      problems: [
        {
          code: 'PLAN_TOO_LARGE',
          class: 'config',
          message:
            'the plan has 20001 steps; one run carries at most 20000. Most come from tests/smoke (19000 steps), wheels/skiff (1001 steps)',
          next: 'Split the release: tests/smoke in a release file of its own, which takes up what this one published.',
        },
      ],
    }),
  );
});
