import { planFault } from '../../src/model/schema/plan.js';
import { withoutCache } from '../../src/plan/no-cache.js';
import { HEAD, planOf, problemsOf, stepOf } from './a-plan.js';

const FILE = `${HEAD}wheels:
  skiff: {}
tests:
  sail: { needs: [wheels/skiff], in: venv, run: echo 1, expect: '1' }
`;
const [CP311, CP312] = ['wheels/skiff/cp311/linux-x86_64', 'wheels/skiff/cp312/linux-x86_64'];

test('given epochs, then each named step has the epoch of the longest matching name, and other steps are unchanged', () => {
  const made = planOf(`${FILE}epochs: { wheels: 2, ${CP312}: 3 }\n`);
  expect(planFault(JSON.parse(JSON.stringify(made)))).toBeNull();
  expect([stepOf(made, CP311).epoch, stepOf(made, CP312).epoch]).toEqual([2, 3]);
  expect(stepOf(made, 'tests/sail/cp311/linux-x86_64')).toEqual(stepOf(planOf(FILE), 'tests/sail/cp311/linux-x86_64'));
});

test.each([
  ['epochs: { wheels/skif: 2 }', 'EPOCH_OF_NOTHING'],
  ['epochs: { wheels: 0 }', 'WRONG_VALUE'],
])('given %s, then it is refused with its line', (line, code) => {
  expect(problemsOf(`${FILE}${line}\n`)).toMatchObject([{ code, place: { line: 10 } }]);
});

test('given --no-cache, then it selects steps by id or by prefix', () => {
  const { steps } = planOf(FILE);
  const named = (said: unknown) => {
    const found = withoutCache(steps, said);
    return Array.isArray(found) ? (found as number[]).map((step) => steps[step]!.id) : found;
  };
  expect(named(undefined)).toBeUndefined();
  expect(named(true)).toBe('all');
  expect(named([CP311])).toEqual([CP311]);
  expect(named(['wheels/skiff', CP311])).toEqual([CP311, CP312]);
});

test.each([
  [['wheels/skif'], 'NO_CACHE_NAMES_NOTHING'],
  [['wheels/ski'], 'NO_CACHE_NAMES_NOTHING'],
  ['wheels/skiff', 'NO_CACHE_NOT_READABLE'],
  [[7], 'NO_CACHE_NOT_READABLE'],
])('given --no-cache %j, then it is refused', (said, code) => {
  const refused = () => withoutCache(planOf(FILE).steps, said);
  expect(refused).toThrow(expect.objectContaining({ problems: [expect.objectContaining({ code })] }));
});
