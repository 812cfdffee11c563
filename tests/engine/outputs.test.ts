import type { CarriedCell } from '../../src/engine/handover/carried-cell.js';
import type { Input } from '../../src/engine/run/inputs.js';
import { AS_TOLD, problemsOf } from '../../src/engine/handover/truncate-cells.js';
import { Outputs } from '../../src/engine/handover/outputs.js';
import type { Problem } from '../../src/model/failure.js';
import { aProblem } from './a-skeleton.js';

const WHOLE = aProblem({ evidence: ['line 1', 'line 2'], details: { worker: 'anvil' } });
const WITHOUT = aProblem({ details: { worker: 'anvil' } });
const failed = (attempt: number, problems: readonly Problem[]): Input => ({
  ...{ what: 'ended', step: 4, attempt, atMs: 1 },
  ending: { outcome: 'failed', problems },
});
const row = (attempt: number, problems: readonly Problem[]): CarriedCell =>
  [4, 3, attempt, 0, 0, null, null, { problems }] as unknown as CarriedCell;

test('whoever decides is told a failure without its output, and whoever shows it gets that back, once', () => {
  const outputs = new Outputs();
  expect(outputs.keep(failed(1, [WHOLE]))).toEqual(failed(1, [WITHOUT]));
  expect(outputs.giveBack([row(1, AS_TOLD)]).map(problemsOf)).toEqual([AS_TOLD]); // not applied yet
  const hinted = { ...WITHOUT, next: 'Look at anvil first.' };
  expect(outputs.giveBack([row(1, [hinted])]).map(problemsOf)).toEqual([[{ ...hinted, evidence: WHOLE.evidence }]]);
  expect(outputs.giveBack([row(1, [hinted])]).map(problemsOf)).toEqual([[hinted]]);
});

test('the next attempt may run already when it is told of', () => {
  const outputs = new Outputs();
  outputs.keep(failed(1, [WHOLE]));
  expect(outputs.giveBack([row(2, [WITHOUT])])).toEqual([row(2, [WHOLE])]);
});

test('another failure gets none of it', () => {
  const outputs = new Outputs();
  outputs.keep(failed(1, [WHOLE]));
  const other = row(1, [aProblem({ code: 'NOBODY_CAME' })]);
  expect(outputs.giveBack([other])).toEqual([other]);
});

test('a failure without output passes as it is', () => {
  const input = failed(1, [WITHOUT]);
  expect(new Outputs().keep(input)).toBe(input);
});
