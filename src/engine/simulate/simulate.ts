import { fail, type Problem } from '../../model/failure.js';
import type { Crew, Fleet } from '../../model/fleet.js';
import type { Queue } from '../../model/ids.js';
import type { Skeleton, SkeletonStep } from '../../model/plan.js';
import { remaining } from '../forecast/critical-path.js';
import { percentile } from '../forecast/durations.js';
import { dependents, inOrder } from '../run/edges.js';
import { fleetLacksQueue } from './errors.js';
import { runVirtually, type Arrival, type Continuations } from './virtual-clock.js';

/** Simulated execution of a plan on a fleet. Times are milliseconds. */
export interface Simulation {
  readonly releases: number;
  readonly steps: number;
  /** From the first start to the last end. */
  readonly makespanMs: number;
  readonly release: { readonly meanMs: number; readonly maxMs: number };
  /** Lower bound of one release on any fleet. */
  readonly criticalPathMs: number;
  readonly queues: readonly QueueUse[];
  /** Cost of long histories: a run that continues as new starts nothing until its running steps have ended. */
  readonly continued: Continuations;
  /** Number of steps by source of their duration: the fleet file, earlier runs, or their time limit. */
  readonly told: { readonly said: number; readonly measured: number; readonly limit: number };
}
export interface QueueUse extends Crew {
  readonly queue: Queue;
  readonly steps: number;
  readonly workMs: number;
  /** Used share of its slots' time, 0 to 1. */
  readonly utilisation: number;
  /** Time from ready to started. */
  readonly wait: { readonly meanMs: number; readonly p50Ms: number; readonly p90Ms: number; readonly maxMs: number };
}
/** Mean time per release that one more worker of a queue saves. */
export interface OneMore {
  readonly queue: Queue;
  readonly savesMs: number;
}

/** Interval between releases of a plan. Each starts on time, whatever the state of the one before. */
export interface Load {
  readonly releases: number;
  readonly everyMs: number;
}
export const ONCE: Load = { releases: 1, everyMs: 0 };

/** Returns the duration of a step: by the fleet file, else as measured, else its time limit. */
export const durationIn =
  ({ durations }: Pick<Fleet, 'durations'>) =>
  ({ kind, expectedMs, limitMs }: SkeletonStep): number => {
    const said = durations[kind];
    if (said === undefined) return expectedMs ?? limitMs;
    return 'ms' in said ? said.ms : said.share * limitMs;
  };

/** Simulates a plan with the scheduler of real runs. Throws FLEET_LACKS_QUEUE. */
export function simulate(plan: Skeleton, fleet: Fleet, load: Load = ONCE): Simulation {
  const lacking = lackingQueues(plan, fleet);
  if (lacking.length > 0) throw fail(lacking);
  const tookMs = durationIn(fleet);
  const skeleton = withDurations(plan, tookMs);
  const arrivals = Array.from({ length: load.releases }, (_, no): Arrival => ({ skeleton, atMs: no * load.everyMs }));
  const used = new Map(queuesOf(plan).map((queue) => [queue, new Tally(fleet.queues[queue]!)]));
  const { ended, continued } = runVirtually(arrivals, slotsOf(used), tookMs, ({ step, readyMs, startMs, endMs }) =>
    used.get(step.on)!.add(startMs - readyMs, endMs - startMs),
  );
  const makespanMs = Math.max(0, ...ended);
  const took = ended.map((endMs, no) => endMs - arrivals[no]!.atMs);
  return {
    releases: load.releases,
    steps: plan.steps.length * load.releases,
    makespanMs,
    release: { meanMs: mean(took), maxMs: Math.max(0, ...took) },
    criticalPathMs: pathMs(skeleton.steps, tookMs),
    queues: [...used].map(([queue, tally]) => tally.use(queue, makespanMs)),
    continued,
    told: toldBy(plan.steps, fleet),
  };
}

/** Returns the time that one more worker of each queue would save, by another simulation. The best queue comes first. */
export function oneMore(plan: Skeleton, fleet: Fleet, base: Simulation, load: Load = ONCE): readonly OneMore[] {
  const saves = base.queues.map(({ queue, wait }): OneMore => {
    // If no step waited for a worker, one more saves nothing.
    if (wait.maxMs === 0) return { queue, savesMs: 0 };
    const crew = fleet.queues[queue]!;
    const queues = { ...fleet.queues, [queue]: { ...crew, workers: crew.workers + 1 } };
    return { queue, savesMs: base.release.meanMs - simulate(plan, { ...fleet, queues }, load).release.meanMs };
  });
  return saves.sort((a, b) => b.savesMs - a.savesMs);
}

function toldBy(steps: readonly SkeletonStep[], { durations }: Fleet): Simulation['told'] {
  const said = steps.filter(({ kind }) => durations[kind] !== undefined).length;
  const measured = steps.filter(({ kind, expectedMs }) => durations[kind] === undefined && expectedMs !== undefined);
  return { said, measured: measured.length, limit: steps.length - said - measured.length };
}

/** Sets the simulated durations, which the longest path uses. */
const withDurations = (plan: Skeleton, tookMs: (step: SkeletonStep) => number): Skeleton => ({
  ...plan,
  steps: plan.steps.map((step) => ({ ...step, expectedMs: tookMs(step) })),
});

const queuesOf = ({ steps }: Skeleton): readonly Queue[] => [...new Set(steps.map(({ on }) => on))].sort();

export function lackingQueues(plan: Skeleton, { queues }: Fleet): readonly Problem[] {
  const lacking = queuesOf(plan).filter((queue) => (queues[queue]?.workers ?? 0) === 0);
  const steps = (queue: Queue): number => plan.steps.filter(({ on }) => on === queue).length;
  return lacking.map((queue) => fleetLacksQueue(queue, steps(queue), queues[queue] !== undefined));
}

const slotsOf = (used: ReadonlyMap<Queue, Tally>): Readonly<Record<Queue, number>> =>
  Object.fromEntries([...used].map(([queue, { crew }]) => [queue, crew.workers * crew.slots]));

function pathMs(steps: readonly SkeletonStep[], tookMs: (step: SkeletonStep) => number): number {
  const waiting = dependents(steps);
  return remaining(inOrder(steps, waiting), waiting, steps.map(tookMs)).reduce((a, b) => Math.max(a, b), 0);
}

const mean = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length);

class Tally {
  readonly #waits: number[] = [];
  #waitedMs = 0;
  #workMs = 0;

  constructor(readonly crew: Crew) {}

  add(waitMs: number, workMs: number): void {
    this.#waits.push(waitMs);
    this.#waitedMs += waitMs;
    this.#workMs += workMs;
  }

  use(queue: Queue, makespanMs: number): QueueUse {
    const sorted = Array.from(Float64Array.from(this.#waits).sort());
    const slots = this.crew.workers * this.crew.slots;
    return {
      queue,
      ...this.crew,
      steps: sorted.length,
      workMs: this.#workMs,
      utilisation: makespanMs === 0 ? 0 : this.#workMs / (slots * makespanMs),
      wait: {
        meanMs: this.#waitedMs / Math.max(1, sorted.length),
        p50Ms: percentile(sorted, 0.5) ?? 0,
        p90Ms: percentile(sorted, 0.9) ?? 0,
        maxMs: sorted.at(-1) ?? 0,
      },
    };
  }
}
