/** @slow */
import { MOST_STEPS } from '../../src/model/plan-size.js';
import { plan } from '../../src/plan/plan.js';
import { readReleaseFile } from '../../src/plan/read/release-file.js';
import { HEAD, planOf, problemsOf, someFacts } from './a-plan.js';

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

/** A plan of nearly as many steps as a plan may have, after excludes. */
const LARGE = `${HEAD}steps:\n  a: { run: make, matrix: { ${axis('p', 190)}, ${axis('q', 110)} }, exclude: [{ p: p1 }, { p: p2 }, { p: p3 }, { p: p4 }, { p: p5 }, { p: p6 }, { p: p7 }, { p: p8 }, { p: p9 }] }\n`;

test('given combinations that exclude removes, then they do not count towards the limit', () => {
  expect(planOf(LARGE).steps.length).toBeGreaterThan(19_910);
});

test("given 20,000 variants, then the plan's own steps count too and it is refused", () => {
  const twenty = `${HEAD}steps:\n  a: { run: make, matrix: { ${axis('p', 200)}, ${axis('q', 100)} } }\n`;
  expect(problemsOf(twenty)).toEqual([
    expect.objectContaining({ code: 'PLAN_TOO_LARGE', message: expect.stringContaining('steps/a (') }),
  ]);
});

/** Processor time, in microseconds: other programs may have the rest of the machine. */
function timeOf(work: () => void): number {
  const began = process.cpuUsage();
  work();
  return process.cpuUsage(began).user;
}
const each = (count: number, line: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('');

test.each([
  [
    '250 kB of excludes',
    `steps:\n  a:\n    run: make\n    matrix: { ${axis('p', 200)}, ${axis('q', 199)} }\n    exclude:\n${each(9_000, (at) => `      - { p: p${at % 199}, q: q${at % 197} }\n`)}`,
    'MATRIX_TOO_LARGE',
  ],
  [
    'many entries that exclude most of what they make',
    `steps:\n${each(90, (at) => `  s${at}: { run: make, matrix: { ${axis('p', 30)}, ${axis('q', 30)}, ${axis('r', 44)} }, exclude: [${each(30, (no) => `{ p: p${no} }, `)}] }\n`)}`,
    'MATRIX_TOO_LARGE',
  ],
  [
    'a need that is named ten thousand times',
    `steps:\n  a: { run: make, matrix: { ${axis('p', 140)}, ${axis('q', 140)} } }\n  b: { run: make, needs: [${each(10_000, () => 'steps/a, ')}] }\n`,
    'PLAN_TOO_LARGE',
  ],
])('[D7] given %s, then the plan is refused in the time of a large plan', (_, sections, code) => {
  const file = HEAD + sections;
  const refused = timeOf(() => expect(problemsOf(file)).toEqual([expect.objectContaining({ code })]));
  const made = timeOf(() => expect(planOf(LARGE).steps.length).toBeGreaterThan(19_910));
  expect(refused).toBeLessThan(1.5 * made);
});

test('given a thousand shards of twenty steps that follow each other, then the plan is made', () => {
  const steps = each(
    19,
    (at) => `  s${at}: { run: make${at === 0 ? `, matrix: { ${axis('p', 1000)} }` : `, needs: [steps/s${at - 1}]`} }\n`,
  );
  expect(planOf(`${HEAD}steps:\n${steps}`).steps.length).toBeGreaterThan(19_000);
});

/** A release whose step `s00000` needs `s00001`, and so on to the last. Such a chain comes from a lock: a release file has no
 * room for it. */
function chainOf(count: number) {
  const read = readReleaseFile(
    `${HEAD}steps: { last: { run: make }, one: { run: make, needs: [steps/last] } }\n`,
    'a.yaml',
  );
  const { last, one } = read.content.steps;
  const name = (at: number): string => `s${String(at).padStart(5, '0')}`;
  const linked = Array.from({ length: count - 1 }, (_, at) => [
    name(at),
    { ...one!, needs: [`steps/${name(at + 1)}`] },
  ]);
  return { ...read, content: { ...read.content, steps: { ...Object.fromEntries(linked), [name(count - 1)]: last! } } };
}

test('given a chain of nearly as many steps as a plan may have, then each follows the one that it needs', () => {
  const own = planOf(`${HEAD}steps: { one: { run: make } }\n`).steps.length - 1;
  const { steps } = plan(chainOf(MOST_STEPS - own), someFacts());
  expect(steps).toHaveLength(MOST_STEPS);
  expect(steps.find(({ id }) => id === 'steps/s00000')!.needs).toContain('steps/s00001');
});

test('given a chain of all steps that a plan may have, then the plan is refused', () => {
  expect(() => plan(chainOf(MOST_STEPS), someFacts())).toThrow(/PLAN_TOO_LARGE/);
});

test('given thousands of entries that all need each other, then each is refused in a short line', () => {
  const count = 3000;
  const needs = (at: number): string => (at + 1 < count ? `steps/a${at + 1}, ` : '');
  const found = problemsOf(
    `${HEAD}steps:\n${each(count, (at) => `  a${at}: { run: m, needs: [${needs(at)}steps/a0] }\n`)}`,
  );
  expect(found.map(({ code }) => code)).toEqual(Array.from({ length: count }, () => 'NEEDS_CYCLE'));
  expect(found[0]!.message).toMatch(/: steps\/a0 → .*steps\/a5 → … → steps\/a2999 → steps\/a0$/);
  expect(found[0]!.message.length).toBeLessThan(200);
});
