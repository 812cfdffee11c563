/** @slow */
import { HEAD, planOf, problemsOf } from './a-plan.js';

const axis = (name: string, values: number): string =>
  `${name}: [${Array.from({ length: values }, (_, at) => `${name}${at}`).join(', ')}]`;

/** `8:3` of the first line that begins so. */
const lineOf = (text: string, start: string): number =>
  text.split('\n').findIndex((line) => line.startsWith(start)) + 1;

const large = `${HEAD}steps:
  small: { run: make, matrix: { ${axis('one', 400)} } }
  large: { run: make, matrix: { ${axis('shard', 250)}, ${axis('piece', 100)} } }
`;

test('given too many steps, then the refusal names the largest entry, its axes, its place and how to split it', () => {
  expect(problemsOf(large)).toEqual([
    {
      code: 'PLAN_TOO_LARGE',
      class: 'config',
      message: expect.stringMatching(
        /^the plan has 25401 steps; one run carries at most 20000\. Most come from steps\/large \(250 of shard × 100 of piece, 25000 steps\), steps\/small \(400 of one, 400 steps\), source\/skiff/,
      ),
      next: expect.stringMatching(
        /^Split the release: steps\/large in a release file of its own, .*fewer than 250 values of shard\.$/,
      ),
      path: 'steps.large',
      place: { file: 'slipway.yaml', line: lineOf(large, '  large'), column: 3 },
    },
  ]);
});

test.each([
  [
    'of its own',
    `steps:\n  a: { run: make, matrix: { ${['x', 'y', 'z'].map((name) => axis(name, 1000)).join(', ')} } }\n`,
  ],
  [
    'of two that it needs',
    `steps:\n  x: { run: make, matrix: { ${axis('p', 900)} } }\n  y: { run: make, matrix: { ${axis('q', 900)} } }\n  a: { run: make, needs: [steps/x, steps/y] }\n`,
  ],
  [
    'that exclude would mostly take out',
    `steps:\n  a: { run: make, matrix: { ${axis('p', 900)}, ${axis('q', 900)} }, exclude: [{ q: q1 }] }\n`,
  ],
])('given huge combinations %s, then the plan is refused without counting them all', (_, sections) => {
  expect(problemsOf(HEAD + sections)).toEqual([
    expect.objectContaining({
      code: 'PLAN_TOO_LARGE',
      path: 'steps.a',
      message: expect.stringMatching(/more than 40000 .*steps\/a \(\d+ of \w/),
    }),
  ]);
});

test('given combinations that exclude removes, then they do not count towards the limit', () => {
  const plan = planOf(
    `${HEAD}steps:\n  a: { run: make, matrix: { ${axis('p', 190)}, ${axis('q', 110)} }, exclude: [{ p: p1 }, { p: p2 }, { p: p3 }, { p: p4 }, { p: p5 }, { p: p6 }, { p: p7 }, { p: p8 }, { p: p9 }] }\n`,
  );
  expect(plan.steps.length).toBeGreaterThan(19_910);
});

test("given 20,000 variants, then the plan's own steps count too and it is refused", () => {
  const twenty = `${HEAD}steps:\n  a: { run: make, matrix: { ${axis('p', 200)}, ${axis('q', 100)} } }\n`;
  expect(problemsOf(twenty)).toEqual([
    expect.objectContaining({ code: 'PLAN_TOO_LARGE', message: expect.stringContaining('steps/a (') }),
  ]);
});
