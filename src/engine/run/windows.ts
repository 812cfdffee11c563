import type { Queue } from '../../model/ids.js';
import type { Skeleton } from '../../model/plan.js';
import type { Slots } from '../../model/worker.js';
import { medianByQueue } from './weights.js';

/** Steps under way at once on a queue without a window of its own. In measurements, 50 was a quarter faster than no limit. */
const DEFAULT_WINDOW = 50;
/** Steps of a run that are under way at once, on all queues together: the server refuses a workflow's 2,001st activity, and the
 * task with it, for ever. What a run asks for besides (actions, gates, messages) has the rest. */
export const MOST_UNDER_WAY = 1800;
/** What a slot needs at hand: work for the time from the end of a step until the next one reaches its queue, through a busy
 * server and a busy worker of workflows; on an idle machine it takes 15. */
const LEAD_MS = 200;
/** Assumed duration of a step if nothing like it was ever measured. */
const UNKNOWN_MS = 1000;
/** Upper limit of the backlog. More costs order and gains nothing: see DEFAULT_WINDOW. */
const MOST_AT_HAND = 50;

/** State of the windows, as plain data. */
export interface WindowsState {
  /** Steps that may be under way at once, for each queue with known slots. */
  sizes: Readonly<Record<Queue, number>>;
  /** Slots of each queue. `sizes` follows from them. */
  slots: Slots;
  /** Median duration of the steps of each queue, if known. */
  readonly paceMs: Readonly<Record<Queue, number>>;
}

/** How many steps of each queue are under way at once: one for each slot of its living workers, and so many more that a slot which
 * becomes free finds its next step at hand. A queue whose slots are not known keeps the plan's window. */
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

/** Returns the window that the plan gives a queue. */
export const plannedWindow = (windows: Skeleton['windows'], queue: Queue): number =>
  Math.max(1, windows[queue] ?? DEFAULT_WINDOW);

/** @param paceMs what a step takes: short ones need more at hand, and of long ones the order is to be decided late */
export function windowOf(slots: number, paceMs: number): number {
  const freed = Math.ceil((slots * LEAD_MS) / Math.max(1, paceMs));
  return Math.max(1, slots) + Math.max(1, Math.min(freed, MOST_AT_HAND));
}
