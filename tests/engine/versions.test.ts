import { engineOf, raised } from '../../src/engine/run/engine-versions.js';
import { Scheduler } from '../../src/engine/run/scheduler.js';
import { ENGINES, NEWEST_ENGINE } from '../../src/model/engines.js';
import { SlipwayFailure } from '../../src/model/failure.js';
import { aSkeleton } from './a-skeleton.js';

const refusal = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    if (error instanceof SlipwayFailure) return error.problems[0];
    throw error;
  }
};

test.each([[undefined], [null]])('given no engine number (%j), then a known engine is used', (none) => {
  expect(ENGINES).toContain(engineOf(none));
});

test('given a known engine number, then it is used', () => {
  expect(engineOf(2, [1, 2])).toBe(2);
});

test.each([[0], [99], ['1'], [false], [''], [[1]], [{}], [Number.NaN]])(
  'given the unknown engine %j, then it is refused',
  (wanted) => {
    expect(refusal(() => engineOf(wanted, [1, 2]))).toMatchObject({
      code: 'ENGINE_UNKNOWN',
      message: expect.stringContaining('this build knows 1, 2'),
    });
  },
);

const options = { nowMs: 0, random: () => 0 };

test('given a snapshot, then it has the newest engine number, and never a lower one than before', () => {
  expect([raised(1, 2), raised(3, 2)]).toEqual([2, 3]);
  const skeleton = aSkeleton([{ id: 'a' }]);
  const snapshot = new Scheduler(skeleton, options).snapshot();
  expect(snapshot.run.engine).toBe(NEWEST_ENGINE);
  expect(new Scheduler(skeleton, options, snapshot).engine).toBe(NEWEST_ENGINE);
});

test('given a snapshot of a newer build, when an older build restores it, then it is refused', () => {
  const skeleton = aSkeleton([{ id: 'a' }]);
  const snapshot = new Scheduler(skeleton, options).snapshot();
  const newer = { ...snapshot, run: { ...snapshot.run, engine: 99 } };
  expect(refusal(() => new Scheduler(skeleton, options, newer))).toMatchObject({ code: 'ENGINE_UNKNOWN' });
});
