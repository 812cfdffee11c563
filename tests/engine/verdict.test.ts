import { newProgress, type StepProgress } from '../../src/engine/run/step-progress.js';
import { verdictOf } from '../../src/engine/run/verdict.js';
import { aStep } from './a-skeleton.js';

const steps = [
  aStep({ id: 'wheels/skiff', stage: 'wheels' }),
  aStep({ id: 'publish/index/a', stage: 'publish', kind: 'publishArtifacts' }),
];
const cell = (state: StepProgress['state']): StepProgress => ({ ...newProgress(0), state, because: 'kim said so' });
const around = { rehearsal: false, cancelled: null, dropped: [] };

describe('a release that was to publish', () => {
  test('and published is released', () => {
    expect(verdictOf(steps, [cell('done'), cell('cached')], around).verdict).toBe('released');
  });

  test('and whose every publish step was left out by a person has failed, though nothing else did', () => {
    const { verdict, reasons } = verdictOf(steps, [cell('done'), cell('skipped')], around);
    expect(verdict).toBe('failed');
    expect(reasons[0]).toBe(
      'nothing was published: its one publish step was left out; a release that publishes nothing is none',
    );
  });

  test('and whose every publish step was dropped before it began has failed too', () => {
    const dropped = [{ id: 'publish/index/a', because: 'nobody serves gpu' }];
    expect(verdictOf(steps.slice(0, 1), [cell('done')], { ...around, dropped }).verdict).toBe('failed');
  });

  test('is released where one of its targets got its files', () => {
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

  test('whose steps all succeeded is done', () => {
    expect(verdictOf(steps, [cell('done'), cell('cached')], pipeline).verdict).toBe('done');
  });

  test('is done by a profile of rehearsals too', () => {
    expect(verdictOf(steps, [cell('done'), cell('done')], { ...pipeline, rehearsal: true }).verdict).toBe('done');
  });

  test('whose publish step a person left out is done, and says so', () => {
    expect(verdictOf(steps, [cell('done'), cell('skipped')], pipeline)).toEqual({
      verdict: 'done',
      reasons: ['publish/index/a was left out: kim said so'],
    });
  });

  test('with a failed step has failed', () => {
    expect(verdictOf(steps, [cell('failed'), cell('done')], pipeline).verdict).toBe('failed');
  });
});

test('a plan that publishes nothing on purpose is released', () => {
  expect(verdictOf(steps.slice(0, 1), [cell('done')], around).verdict).toBe('released');
});
