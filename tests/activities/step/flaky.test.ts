import { attemptStep } from '../../../src/activities/step/attempt.js';
import { drawReport } from '../../../src/activities/report/draw-report.js';
import type { Step } from '../../../src/model/plan.js';
import { records } from '../../../src/model/run-folder.js';
import type { Result } from '../../../src/model/result.js';
import { aPlan, aStep, newHome, realSurroundings } from '../../support/run-body.js';

test('given an earlier failure of the product in the run, when the step passes, then result and report say flaky', async () => {
  const around = realSurroundings(await newHome());
  const step = aStep('takeSdist', { project: 'skiff' });
  const plan = aPlan({ steps: [step as Step] });
  const input = { plan: 'sha256:0' as const, step: step.id, run: 'r', attempt: 2, flaky: true as const };
  const moment = { signal: new AbortController().signal, delivery: 1 };
  await attemptStep(async () => ({ artifacts: [], note: 'passed' }), input, plan, around, moment);
  const result = (await around.store.read<Result>(records.result('r', step.id)))!;
  expect(result.made).toMatchObject({ attempt: 2, flaky: true });
  const reportOf = (run: string) => drawReport({ plan, digest: 'sha256:0', run, results: [result] }).steps;
  expect(reportOf('r')).toMatchObject([{ outcome: 'done', flaky: true }]);
  expect(reportOf('another')).toEqual([expect.not.objectContaining({ flaky: true })]);
});
