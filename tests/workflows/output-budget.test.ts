import { OutputBudget } from '../../src/workflows/generations/output-budget.js';
import { aProblem } from '../engine/a-skeleton.js';

const evidence = Array.from({ length: 12 }, (_, line) => `${line} `.padEnd(1000, 'x'));
const charactersOf = (all: unknown): number => JSON.stringify(all).length;

test('the first failures tell all, later ones their last lines; ten thousand fit into one history with what it holds', () => {
  const budget = new OutputBudget(5_000_000);
  const told = Array.from({ length: 10_000 }, () => budget.bound([aProblem({ evidence })]));
  expect(told[0]).toEqual([aProblem({ evidence })]);
  const middle = told[2000]![0]!.evidence!;
  expect(middle.length).toBeLessThan(12);
  expect(middle).toEqual(evidence.slice(-middle.length));
  expect(charactersOf(told)).toBeLessThan(25_000_000 + charactersOf(aProblem()) * 10_000);
});

test('of a history that is full only codes and next steps are told', () => {
  expect(new OutputBudget(40_000_000).bound([aProblem({ evidence })])).toEqual([aProblem()]);
});
