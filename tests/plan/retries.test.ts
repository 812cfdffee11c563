import { planFault } from '../../src/model/schema/plan.js';
import { skeletonOf } from '../../src/plan/skeleton.js';
import { HEAD, planOf, problemsOf, sha256, stepOf } from './a-plan.js';

const FILE = `${HEAD}wheels:
  skiff: {}
tests:
  sail: { needs: [wheels/skiff], in: venv, run: echo 1, expect: '1' }
  row: { needs: [wheels/skiff], in: venv, run: echo 1, expect: '1', retry: { infra: { times: 7 }, exit: { 3: product } } }
`;
const WITH = `${FILE}retry:
  total: 40
  tests: { infra: { times: 1, wait: 30m..90m }, exit: { 75: infra }, lines: [{ match: '^flaky', class: infra }] }
`;

test("given retry budgets of a section and an entry, then the entry's keys win", () => {
  const made = planOf(WITH);
  const sail = stepOf(made, 'tests/sail/cp311/linux-x86_64').retry;
  expect(sail).toMatchObject({
    infra: { times: 1, waitMs: 1_800_000, waitToMs: 5_400_000, togetherMs: 60_000 },
    lost: { times: 3 },
    exit: { 75: 'infra' },
    lines: [{ match: '^flaky', class: 'infra' }],
  });
  const row = stepOf(made, 'tests/row/cp311/linux-x86_64').retry;
  expect(row).toMatchObject({ infra: { times: 7 }, exit: { 3: 'product' }, lines: [{ class: 'infra' }] });
  expect(row.exit).not.toHaveProperty('75');
  expect(stepOf(made, 'wheels/skiff/cp311/linux-x86_64').retry).toEqual(
    stepOf(planOf(FILE), 'wheels/skiff/cp311/linux-x86_64').retry,
  );
});

test('given a wait range below ten minutes, then its waits are not rounded', () => {
  const said = planOf(`${FILE}retry: { tests: { infra: { wait: 5s..15s } } }\n`);
  expect(stepOf(said, 'tests/sail/cp311/linux-x86_64').retry.infra).not.toHaveProperty('togetherMs');
});

test('given failures of class product, then they are retried only if the file asks, once by default', () => {
  expect(stepOf(planOf(FILE), 'tests/sail/cp311/linux-x86_64').retry).not.toHaveProperty('product');
  const said = planOf(`${FILE}retry: { tests: { product: { wait: 30s, atMost: 2m } } }\n`);
  const { product } = stepOf(said, 'tests/sail/cp311/linux-x86_64').retry;
  expect(product).toEqual({ times: 1, waitMs: 30_000, atMostMs: 120_000 });
  expect(planFault(JSON.parse(JSON.stringify(said)))).toBeNull();
});

test("given retry rules, then the skeleton has the run's budget and not the rules", () => {
  const made = planOf(WITH);
  expect(planFault(JSON.parse(JSON.stringify(made)))).toBeNull();
  const skeleton = skeletonOf(made, sha256('x'), {});
  expect(skeleton.retries).toBe(40);
  expect(JSON.stringify(skeleton)).not.toMatch(/flaky|"exit"/);
  expect(skeletonOf(planOf(FILE), sha256('x'), {})).not.toHaveProperty('retries');
});

test.each([
  ['retry: { exit: { 256: infra } }', 'an exit status is a number from 1 to 255'],
  ['retry: { exit: { 3: lost } }', 'WRONG_VALUE'],
  ["retry: { lines: [{ match: '(', class: infra }] }", 'it is no regular expression'],
  ["retry: { lines: [{ match: '', class: infra }] }", 'an empty expression is in every text'],
])('given %s in an entry, then it is refused with its place', (retry, text) => {
  const found = problemsOf(FILE.replace("expect: '1' }\n  row", `expect: '1', ${retry} }\n  row`));
  expect(found).toHaveLength(1);
  expect(JSON.stringify(found)).toContain(text);
  expect(found[0]).toMatchObject({
    class: 'config',
    place: { line: 9 },
    path: expect.stringContaining('tests.sail.retry'),
  });
});

test.each([
  ['retry: { total: -1 }', 'retry.total'],
  ['retry: { gates: {} }', 'retry'],
  ['retry: { tests: { denied: { times: 3 } } }', 'retry.tests'],
])('given %s, then it is refused', (retry, path) => {
  expect(problemsOf(`${FILE}${retry}\n`)).toMatchObject([{ path: expect.stringContaining(path) }]);
});
