import fc from 'fast-check';
import { EDGE_KINDS } from '../../../src/engine/run/edges.js';
import { forecast } from '../../../src/engine/forecast/forecast.js';
import { simulate } from '../../../src/engine/simulate/simulate.js';
import { runVirtually, type Taken } from '../../../src/engine/simulate/virtual-clock.js';
import type { Fleet } from '../../../src/model/fleet.js';
import type { Skeleton } from '../../../src/model/plan.js';
import { drawnGraphs, graphOf } from '../graphs.js';
import { law, type Law } from './law.js';

/** Graphs whose steps take up to a second, and workers for each of their queues. */
const drawn = fc.record({
  graph: drawnGraphs,
  times: fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 7, maxLength: 20 }),
  workers: fc.integer({ min: 1, max: 4 }),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

interface Case {
  readonly skeleton: Skeleton;
  readonly slots: Readonly<Record<string, number>>;
  readonly fleet: Fleet;
}

function caseOf({ graph, times, workers }: Drawn): Case {
  const plan = graphOf(graph);
  const steps = plan.steps.map((step, at) => ({ ...step, expectedMs: times[at % times.length]! }));
  const slots = Object.fromEntries([...new Set(steps.map(({ on }) => on))].map((queue) => [queue, workers]));
  const queues = Object.fromEntries(Object.keys(slots).map((queue) => [queue, { workers, slots: 1 }]));
  return { skeleton: { ...plan, steps, windows: slots }, slots, fleet: { queues, durations: {} } };
}

const simulated = (id: string, says: string, holds: (one: Case) => void): Law =>
  law({ id: `simulation/${id}`, says, runs: 100, worlds: drawn, holds: (world) => holds(caseOf(world)) });

export const simulation: readonly Law[] = [
  simulated(
    'bounds',
    'given any fleet, then a release takes at least its critical path and the work of each queue, and at most all work in turn',
    ({ skeleton, fleet }) => {
      const { makespanMs, criticalPathMs, queues } = simulate(skeleton, fleet);
      expect(makespanMs).toBeGreaterThanOrEqual(criticalPathMs);
      for (const { workMs, workers, utilisation } of queues) {
        expect(makespanMs * workers).toBeGreaterThanOrEqual(workMs);
        expect(utilisation).toBeLessThanOrEqual(1);
      }
      expect(makespanMs).toBeLessThanOrEqual(queues.reduce((sum, { workMs }) => sum + workMs, 0));
    },
  ),
  simulated(
    'list-schedule',
    'given one queue, then a release is within the bound of list scheduling: work ÷ workers + critical path',
    ({ skeleton, fleet }) => {
      const steps = skeleton.steps.map((step) => ({ ...step, on: 'one' }));
      const workers = Object.values(fleet.queues)[0]?.workers ?? 1;
      const found = simulate({ ...skeleton, steps }, { queues: { one: { workers, slots: 1 } }, durations: {} });
      const work = steps.reduce((sum, { expectedMs }) => sum + expectedMs!, 0);
      // R. L. Graham, "Bounds on multiprocessing timing anomalies" (1969).
      expect(found.makespanMs).toBeLessThanOrEqual(work / workers + (1 - 1 / workers) * found.criticalPathMs + 1e-6);
    },
  ),
  simulated(
    'taken-once',
    'given any fleet, then every step runs once, after its edges, and no more run at once than there are slots',
    ({ skeleton, slots }) => {
      const seen: Taken[] = [];
      runVirtually(
        [{ skeleton, atMs: 0 }],
        slots,
        ({ expectedMs }) => expectedMs!,
        (taken) => seen.push(taken),
      );
      const byId = new Map(seen.map((taken) => [taken.step.id, taken]));
      expect([seen.length, byId.size]).toEqual([skeleton.steps.length, skeleton.steps.length]);
      for (const { step, startMs, readyMs, givenMs } of seen) {
        const before = EDGE_KINDS.flatMap((edge) => step[edge].map((on) => byId.get(skeleton.steps[on]!.id)!.endMs));
        expect(readyMs).toBe(Math.max(0, ...before));
        expect(givenMs).toBeGreaterThanOrEqual(readyMs);
        expect(startMs).toBe(givenMs); // one release alone never fills its queues beyond their slots
        const during = seen.filter((one) => one.step.on === step.on && one.startMs <= startMs && startMs < one.endMs);
        expect(during.length).toBeLessThanOrEqual(slots[step.on]!);
      }
    },
  ),
  simulated(
    'forecast',
    'given a run before its start, then its forecast end equals that of its simulation',
    ({ skeleton, fleet }) => {
      const waiting = skeleton.steps.map(({ id, kind, stage }) => ({
        ...{ id, kind, stage, attempt: 0 },
        state: 'waiting' as const,
      }));
      expect(forecast(skeleton, waiting, 0, 0).endAtMs).toBe(simulate(skeleton, fleet).makespanMs);
    },
  ),
];
