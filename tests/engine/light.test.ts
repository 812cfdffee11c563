import { bounded, light } from '../../src/engine/light.js';
import type { CarriedCell } from '../../src/engine/carried-cell.js';
import { aProblem } from './a-skeleton.js';

const HELD = 3;
const row = (step: number, evidence: readonly string[]): CarriedCell =>
  [step, HELD, 1, 0, 0, null, null, { heldAtMs: 5, problems: [aProblem({ evidence })] }] as unknown as CarriedCell;
const rows = (count: number, characters: number): CarriedCell[] =>
  Array.from({ length: count }, (_, step) => row(step, ['x'.repeat(characters)]));
const problemsOf = (one: CarriedCell) => (one[7] as { problems?: unknown[] }).problems;

test('what is little travels as it is', () => {
  expect(light(rows(10, 100))).toEqual(rows(10, 100));
});

test.each([
  ['output', 500, 5000],
  ['output of very many', 1500, 10],
  ['all that is told of very many', 20_000, 10],
])('%s stays behind where it would not fit: cells and what holds them do not', (_, count, characters) => {
  const all = light(rows(count, characters));
  expect(JSON.stringify(all).length).toBeLessThan(count * 100 + 300_000);
  expect(all.map(([step, state]) => [step, state])).toEqual(rows(count, 0).map(([step, state]) => [step, state]));
  expect(all.every((one) => (one[7] as { heldAtMs: number }).heldAtMs === 5)).toBe(true);
});

test('code and what to do are kept longest', () => {
  const [first] = light(rows(500, 5000));
  expect(problemsOf(first!)).toEqual([aProblem()]);
});

test('one failure is cut to what any message carries; its code, class and next step stay', () => {
  const [one] = bounded([aProblem({ evidence: Array.from({ length: 1000 }, () => 'y'.repeat(1000)) })]);
  expect(one).toEqual(aProblem());
  const [other] = bounded([aProblem({ message: 'z'.repeat(100_000), evidence: ['kept'] })]);
  expect(other).toMatchObject({ code: 'COMMAND_FAILED', next: 'Read the log.', evidence: ['kept'] });
  expect(other!.message).toHaveLength(1000);
});
