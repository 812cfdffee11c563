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

  test('given nothing to build, then it is done and says what there is', () => {
    expect(verdictOf([], [], { ...pipeline, nothingToDo: '14 here, 24 upstream' })).toEqual({
      verdict: 'done',
      reasons: ['nothing new: 14 here, 24 upstream'],
    });
  });

  test.each([
    [[], []],
    [steps, [cell('done'), cell('done')]],
  ] as const)(
    'given a failure of an earlier run that is not tried again, then it has failed and names it',
    (all, cells) => {
      const more = { ...pipeline, ...(all.length === 0 && { nothingToDo: '1 failed before' }) };
      const { verdict, reasons } = verdictOf(all, cells, { ...more, failedBefore: ['keel==3 failed before'] });
      expect([verdict, reasons.at(-1)]).toEqual(['failed', 'keel==3 failed before']);
    },
  );

  test.each(['wheels', 'specs'] as const)(
    'given one of %s that is known to fail, when it passes, then the verdict names it',
    (stage) => {
      const known = [{ ...steps[0]!, stage, tolerate: '`known` lists it: needs newer headers' }, steps[1]!];
      expect(verdictOf(known, [cell('done'), cell('done')], pipeline)).toEqual({
        verdict: 'done',
        reasons: ['wheels/skiff passed, although `known` lists it: needs newer headers'],
      });
    },
  );

  test('given a wheel that is known to fail, when it fails, then the pipeline is done all the same', () => {
    const because = '`known` lists it: needs newer headers';
    const known = [{ ...steps[0]!, tolerate: because }];
    const { verdict, reasons } = verdictOf(known, [{ ...cell('skipped'), tolerated: true, because }], pipeline);
    expect([verdict, reasons]).toEqual(['done', [`wheels/skiff failed, which is tolerated: ${because}`]]);
  });

  test('given a failed step, then it has failed', () => {
    expect(verdictOf(steps, [cell('failed'), cell('done')], pipeline).verdict).toBe('failed');
  });
});

test('given a plan without publish steps, then it is released', () => {
  expect(verdictOf(steps.slice(0, 1), [cell('done')], around).verdict).toBe('released');
});
