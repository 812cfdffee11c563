import type { Queue } from '../../model/ids.js';
import type { Skeleton } from '../../model/plan.js';
import type { Slots } from '../../model/worker.js';
import { medianByQueue } from './weights.js';

/** Concurrent steps of a queue without a window. In measurements, 50 was a quarter faster than no limit. */
const DEFAULT_WINDOW = 50;
/** Limit of a run's concurrent steps on all queues together. The server refuses a workflow's 2,001st activity for ever.
 * The rest is for actions, gates and notifications. */
export const MOST_UNDER_WAY = 1800;
/** Lead time of a slot, from the end of a step until the next one reaches its queue. It is measured on a busy machine;
 * an idle one takes 15 ms. */
const LEAD_MS = 200;
/** Assumed duration of a step without measurements. */
const UNKNOWN_MS = 1000;
/** Upper limit of the backlog. More costs order and gains nothing: see DEFAULT_WINDOW. */
const MOST_AT_HAND = 50;

export interface WindowsState {
  /** Limit of concurrent steps, for each queue with known slots. */
  sizes: Readonly<Record<Queue, number>>;
  /** Slots of each queue. `sizes` follows from them. */
  slots: Slots;
  /** Median duration of the steps of each queue, if known. */
  readonly paceMs: Readonly<Record<Queue, number>>;
}

/** Limits of concurrent steps by queue: one step per slot plus a small backlog, so that a freed slot never waits. A
 * queue with unknown slots keeps the plan's window. */
export class Windows {
  readonly state: WindowsState;

  constructor(private readonly skeleton: Pick<Skeleton, 'windows' | 'steps' | 'slots'>) {
    this.state = { sizes: {}, slots: {}, paceMs: medianByQueue(skeleton.steps) };
    this.set(skeleton.slots ?? {});
  }

  /** Replaces the known slots of all queues. */
  set(slots: Slots): void {
    this.state.slots = slots;
    this.state.sizes = this.#sizes();
  }

  size(queue: Queue): number {
    return this.state.sizes[queue] ?? plannedWindow(this.skeleton.windows, queue);
  }

  /** Shrinks all windows in proportion if together they exceed the limit. */
  #sizes(): Readonly<Record<Queue, number>> {
    const { slots, paceMs } = this.state;
    const queues = [...new Set([...Object.keys(this.skeleton.windows), ...Object.keys(slots)])].sort();
    const wanted = queues.map((queue) => {
      const known = slots[queue];
      return known === undefined
        ? plannedWindow(this.skeleton.windows, queue)
        : windowOf(known, paceMs[queue] ?? UNKNOWN_MS);
    });
    const all = wanted.reduce((sum, size) => sum + size, 0);
    const sizes = queues.map((queue, at): readonly [Queue, number] => [queue, wanted[at]!]);
    if (all <= MOST_UNDER_WAY) return Object.fromEntries(sizes.filter(([queue]) => slots[queue] !== undefined));
    const share = (size: number): number => Math.max(1, Math.floor((size * MOST_UNDER_WAY) / all));
    return Object.fromEntries(sizes.map(([queue, size]) => [queue, share(size)]));
  }
}

export const plannedWindow = (windows: Skeleton['windows'], queue: Queue): number =>
  Math.max(1, windows[queue] ?? DEFAULT_WINDOW);

/** @param paceMs median duration: short steps need a larger backlog, and long ones should be ordered late */
export function windowOf(slots: number, paceMs: number): number {
  const freed = Math.ceil((slots * LEAD_MS) / Math.max(1, paceMs));
  return Math.max(1, slots) + Math.max(1, Math.min(freed, MOST_AT_HAND));
}
