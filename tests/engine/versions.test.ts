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

test.each([[undefined], [null]])(
  'given %j for the rules, then the first are used: so do histories older than the rules',
  (none) => {
    expect(engineOf(none, [1, 2])).toBe(1);
    expect(ENGINES).toContain(engineOf(none));
  },
);

test('given known rules, then they are used', () => {
  expect(engineOf(2, [1, 2])).toBe(2);
});

test.each([[0], [99], ['1'], [false], [''], [[1]], [{}], [Number.NaN]])(
  'given the rules %j, which this build does not know, then they are refused',
  (wanted) => {
    expect(refusal(() => engineOf(wanted, [1, 2]))).toMatchObject({
      code: 'ENGINE_UNKNOWN',
      message: expect.stringContaining('this build knows 1, 2'),
    });
  },
);

const options = { nowMs: 0, random: () => 0 };

test('a hand-over raises the rules to the newest, never lowers them, and says which they are', () => {
  expect([raised(1, 2), raised(3, 2)]).toEqual([2, 3]);
  const skeleton = aSkeleton([{ id: 'a' }]);
  const scheduler = new Scheduler(skeleton, { ...options, engine: 1 });
  const baggage = scheduler.carrier.whole();
  expect(baggage.carried.run.engine).toBe(NEWEST_ENGINE);
  expect(Scheduler.resumed(baggage, options).engine).toBe(NEWEST_ENGINE);
});

test('what a newer build carried on is not decided by older rules', () => {
  const { skeleton, carried } = new Scheduler(aSkeleton([{ id: 'a' }]), options).carrier.whole();
  const newer = { skeleton, carried: { ...carried, run: { ...carried.run, engine: 99 } } };
  expect(refusal(() => Scheduler.resumed(newer, options))).toMatchObject({ code: 'ENGINE_UNKNOWN' });
});

test('what was carried before rules were said goes by the first', () => {
  const { skeleton, carried } = new Scheduler(aSkeleton([{ id: 'a' }]), options).carrier.whole();
  const { engine: _, ...run } = carried.run;
  expect(Scheduler.resumed({ skeleton, carried: { ...carried, run: run as typeof carried.run } }, options).engine).toBe(
    1,
  );
});
