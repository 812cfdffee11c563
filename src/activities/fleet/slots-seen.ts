import type { Queue } from '../../model/ids.js';
import type { Slots } from '../../model/worker.js';

/** Fewer slots are reported only after this time, so that the restart of a worker changes nothing. A window that is too
 * large for a minute only affects the order of steps. */
export const GONE_MS = 60_000;
/** Smallest relative change that justifies an event in the history. */
const MATTERS = 0.1;

/** Decides which changes of slots to report: more slots at once, fewer only after GONE_MS. */
export class SlotsSeen {
  /** Start of the time with fewer slots than reported, in milliseconds since 1970. */
  readonly #fewerSince = new Map<Queue, number>();
  #now: Slots = {};
  #nowMs = 0;

  /** @param used slots that the run uses now */
  constructor(private readonly used: Slots) {}

  /** @param nowMs milliseconds since 1970 */
  see(now: Slots, nowMs: number): void {
    this.#now = now;
    this.#nowMs = nowMs;
    for (const [queue, used] of Object.entries(this.used))
      if ((now[queue] ?? used) >= used) this.#fewerSince.delete(queue);
      else if (!this.#fewerSince.has(queue)) this.#fewerSince.set(queue, nowMs);
  }

  get changed(): boolean {
    return Object.keys(this.#now).some((queue) => {
      const used = this.used[queue];
      const now = this.#count(queue);
      return used === undefined || (now !== used && Math.abs(now - used) >= used * MATTERS);
    });
  }

  /** @param except queues without a worker */
  answer(except: ReadonlySet<Queue>): Slots {
    const queues = [...new Set([...Object.keys(this.used), ...Object.keys(this.#now)])].sort();
    return Object.fromEntries(
      queues.filter((queue) => !except.has(queue)).map((queue) => [queue, this.#count(queue)] as const),
    );
  }

  #count(queue: Queue): number {
    const [used, now] = [this.used[queue], this.#now[queue]];
    if (used === undefined || now === undefined || now >= used) return (now ?? used)!;
    return this.#nowMs - this.#fewerSince.get(queue)! >= GONE_MS ? now : used;
  }
}
