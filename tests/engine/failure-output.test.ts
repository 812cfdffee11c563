import { outputOf, truncateProblems } from '../../src/engine/checkpoint/failure-output.js';
import { withinBounds, type StepRow } from '../../src/engine/checkpoint/snapshot.js';
import { aProblem } from './a-skeleton.js';

const held = (step: number, evidence: readonly string[]): StepRow => [
  step,
  {
    ...{ state: 'held', attempt: 1, failures: ['product'], heldAtMs: 5 },
    problems: [aProblem({ evidence })],
  },
];
/** Rows share their lines: millions of lines take seconds to collect. */
function rows(count: number, characters: number): StepRow[] {
  const lines = Array.from({ length: characters / 100 }, () => 'x'.repeat(97));
  return Array.from({ length: count }, (_, step) => held(step, lines));
}

test('given little output, when a snapshot is taken, then it holds all of it', () => {
  expect(withinBounds(rows(30, 12_000))).toEqual(rows(30, 12_000));
});

test.each([200, 20_000])(
  'given %i held steps with much output, when a snapshot is taken, then each keeps the last lines of an equal share',
  (count) => {
    const bounded = withinBounds(rows(count, 12_000));
    const outputs = bounded.map(([, { problems }]) => outputOf(problems!));
    expect(outputs.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(400_000);
    expect(new Set(outputs).size).toBe(1);
    expect(bounded.map(([step, { problems: _, ...progress }]) => [step, progress])).toEqual(
      rows(count, 0).map(([step, { problems: _, ...progress }]) => [step, progress]),
    );
    expect(bounded.every(([, { problems }]) => problems![0]!.code === 'COMMAND_FAILED')).toBe(true);
  },
);

test('given a first error, when output is cut, then the first error stays before the last lines', () => {
  const firstError = ['x.c:1:1: error: no hull'];
  expect(truncateProblems([aProblem({ firstError, evidence: ['y'.repeat(60), 'z'] })], 50)).toEqual([
    aProblem({ firstError, evidence: ['z'] }),
  ]);
});

test('given a long failure, when it is cut, then its last lines, code, class and next step stay', () => {
  const lines = Array.from({ length: 1000 }, (_, at) => `${at}`.padEnd(997, 'y'));
  expect(truncateProblems([aProblem({ evidence: lines })])).toEqual([aProblem({ evidence: lines.slice(-20) })]);
  const [other] = truncateProblems([aProblem({ message: 'z'.repeat(100_000), evidence: ['kept'] })]);
  expect(other).toMatchObject({ code: 'COMMAND_FAILED', next: 'Read the log.', evidence: ['kept'] });
  expect(other!.message).toHaveLength(1000);
  expect(truncateProblems([aProblem({ evidence: lines, details: { worker: 'anvil' } })], 0)).toEqual([
    aProblem({ details: { worker: 'anvil' } }),
  ]);
});
