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

  /** @param told slots that the run uses */
  constructor(private readonly told: Slots) {}

  /** @param nowMs milliseconds since 1970 */
  see(now: Slots, nowMs: number): void {
    this.#now = now;
    this.#nowMs = nowMs;
    for (const [queue, told] of Object.entries(this.told))
      if ((now[queue] ?? told) >= told) this.#fewerSince.delete(queue);
      else if (!this.#fewerSince.has(queue)) this.#fewerSince.set(queue, nowMs);
  }

  get changed(): boolean {
    return Object.keys(this.#now).some((queue) => {
      const told = this.told[queue];
      const now = this.#count(queue);
      return told === undefined || (now !== told && Math.abs(now - told) >= told * MATTERS);
    });
  }

  /** @param except queues without a worker */
  answer(except: ReadonlySet<Queue>): Slots {
    const queues = [...new Set([...Object.keys(this.told), ...Object.keys(this.#now)])].sort();
    return Object.fromEntries(
      queues.filter((queue) => !except.has(queue)).map((queue) => [queue, this.#count(queue)] as const),
    );
  }

  #count(queue: Queue): number {
    const [told, now] = [this.told[queue], this.#now[queue]];
    if (told === undefined || now === undefined || now >= told) return (now ?? told)!;
    return this.#nowMs - this.#fewerSince.get(queue)! >= GONE_MS ? now : told;
  }
}
