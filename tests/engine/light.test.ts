import { truncateProblems, truncateCells, problemsOf } from '../../src/engine/handover/truncate-cells.js';
import type { CarriedCell } from '../../src/engine/handover/carried-cell.js';
import { aProblem } from './a-skeleton.js';

const HELD = 3;
const HELD_NOW = { heldAtMs: 5 };
const bare = (step: number) => [step, HELD, 1, 0, 0, null, null];
const rows = (count: number, characters: number): CarriedCell[] =>
  Array.from({ length: count }, (_, step) => {
    const problems = [aProblem({ evidence: ['x'.repeat(characters)] })];
    return [...bare(step), { ...HELD_NOW, problems }] as unknown as CarriedCell;
  });

test('all but output travels to the next generation, where it is little', () => {
  expect(truncateCells(rows(10, 100))).toEqual(
    rows(10, 100).map(([step]) => [...bare(step), { ...HELD_NOW, problems: [aProblem()] }]),
  );
});

test.each([1000, 20_000])('of %i held steps, what the first failed with travels, and cells of all', (count) => {
  const all = truncateCells(rows(count, 12_000));
  const told = all.filter((one) => problemsOf(one)!.length > 0);
  expect(all).toEqual(rows(count, 0).map((_, at) => [...bare(at), { ...HELD_NOW, problems: problemsOf(all[at]!) }]));
  expect(JSON.stringify(told.map(problemsOf)).length).toBeLessThan(51_000);
  expect(told).toEqual(all.slice(0, told.length));
  expect(told.length).toBeGreaterThan(100);
});

test('given a first error, it travels before the last lines, and not to the next generation', () => {
  const firstError = ['x.c:1:1: error: no hull'];
  expect(truncateProblems([aProblem({ firstError, evidence: ['y'.repeat(60), 'z'] })], 50)).toEqual([
    aProblem({ firstError, evidence: ['z'] }),
  ]);
  const row = [...bare(0), { ...HELD_NOW, problems: [aProblem({ firstError })] }] as unknown as CarriedCell;
  expect(truncateCells([row])).toEqual([[...bare(0), { ...HELD_NOW, problems: [aProblem()] }]]);
});

test('of one failure the last lines travel in any message; its code, class and next step stay', () => {
  const lines = Array.from({ length: 1000 }, (_, at) => `${at}`.padEnd(997, 'y'));
  expect(truncateProblems([aProblem({ evidence: lines })])).toEqual([aProblem({ evidence: lines.slice(-20) })]);
  const [other] = truncateProblems([aProblem({ message: 'z'.repeat(100_000), evidence: ['kept'] })]);
  expect(other).toMatchObject({ code: 'COMMAND_FAILED', next: 'Read the log.', evidence: ['kept'] });
  expect(other!.message).toHaveLength(1000);
  expect(truncateProblems([aProblem({ evidence: lines, details: { worker: 'anvil' } })], 0)).toEqual([
    aProblem({ details: { worker: 'anvil' } }),
  ]);
});
