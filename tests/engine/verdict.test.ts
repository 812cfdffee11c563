import { newProgress, type StepProgress } from '../../src/engine/run/step-progress.js';
import { verdictOf } from '../../src/engine/run/verdict.js';
import { aStep } from './a-skeleton.js';

const steps = [
  aStep({ id: 'wheels/skiff', stage: 'wheels' }),
  aStep({ id: 'publish/index/a', stage: 'publish', kind: 'publishArtifacts' }),
];
const cell = (state: StepProgress['state']): StepProgress => ({ ...newProgress(0), state, because: 'kim said so' });
const around = { rehearsal: false, cancelled: null, dropped: [] };

describe('a release with publish steps', () => {
  test('given published files, then it is released', () => {
    expect(verdictOf(steps, [cell('done'), cell('cached')], around).verdict).toBe('released');
  });

  test('when an operator skipped every publish step, then it has failed', () => {
    const { verdict, reasons } = verdictOf(steps, [cell('done'), cell('skipped')], around);
    expect(verdict).toBe('failed');
    expect(reasons[0]).toBe(
      'nothing was published: its one publish step was left out; a release that publishes nothing is none',
    );
  });

  test('when every publish step was dropped, then it has failed', () => {
    const dropped = [{ id: 'publish/index/a', because: 'nobody serves gpu' }];
    expect(verdictOf(steps.slice(0, 1), [cell('done')], { ...around, dropped }).verdict).toBe('failed');
  });

  test('when one target got its files, then it is released', () => {
    const two = [...steps, aStep({ id: 'publish/hub/b', stage: 'publish', kind: 'publishArtifacts' })];
    expect(verdictOf(two, [cell('done'), cell('skipped'), cell('done')], around).verdict).toBe('released');
  });
});

test('given a tolerated failure and a flaky step, then the verdict stays good and names both', () => {
  const cells = [{ ...cell('done'), flaky: true as const, attempt: 2 }, cell('done')];
  const jailed = { ...cell('skipped'), tolerated: true as const, because: 'jailed: core until Friday' };
  const three = [...steps, aStep({ id: 'tests/sail', stage: 'tests', kind: 'runTest' })];
  expect(verdictOf(three, [...cells, jailed], around)).toEqual({
    verdict: 'released',
    reasons: [
      'tests/sail failed, which is tolerated: jailed: core until Friday',
      'wheels/skiff is flaky: it passed at attempt 2',
    ],
  });
});

describe('a pipeline', () => {
  const pipeline = { ...around, pipeline: true as const };

  test('given steps that all succeeded, then it is done', () => {
    expect(verdictOf(steps, [cell('done'), cell('cached')], pipeline).verdict).toBe('done');
  });

  test('given a rehearsal profile, then it is done too', () => {
    expect(verdictOf(steps, [cell('done'), cell('done')], { ...pipeline, rehearsal: true }).verdict).toBe('done');
  });

  test('when an operator skipped the publish step, then it is done and names the skip', () => {
    expect(verdictOf(steps, [cell('done'), cell('skipped')], pipeline)).toEqual({
      verdict: 'done',
      reasons: ['publish/index/a was left out: kim said so'],
    });
  });

  test('given a failed step, then it has failed', () => {
    expect(verdictOf(steps, [cell('failed'), cell('done')], pipeline).verdict).toBe('failed');
  });
});

test('given a plan without publish steps, then it is released', () => {
  expect(verdictOf(steps.slice(0, 1), [cell('done')], around).verdict).toBe('released');
});
