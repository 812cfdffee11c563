import type { Queue } from '../../model/ids.js';
import type { Slots } from '../../model/worker.js';

/** Slots that are gone for so long do not come back at once: a worker that is started anew, or machines that come and go, are no
 * news. A window that is too large for a minute costs order, and nothing else. */
export const GONE_MS = 60_000;
/** Least change, as a share, that is worth an event in history. */
const MATTERS = 0.1;

/** Decides which changes of slots to report: more at once, fewer once they stay away. */
export class SlotsSeen {
  /** Since when there are fewer than were told, in milliseconds since 1970. */
  readonly #fewerSince = new Map<Queue, number>();
  #now: Slots = {};
  #nowMs = 0;

  /** @param told what the run goes by */
  constructor(private readonly told: Slots) {}

  /** @param nowMs milliseconds since 1970 */
  see(now: Slots, nowMs: number): void {
    this.#now = now;
    this.#nowMs = nowMs;
    for (const [queue, told] of Object.entries(this.told))
      if ((now[queue] ?? told) >= told) this.#fewerSince.delete(queue);
      else if (!this.#fewerSince.has(queue)) this.#fewerSince.set(queue, nowMs);
  }

  /** Whether the run should know. */
  get changed(): boolean {
    return Object.keys(this.#now).some((queue) => {
      const told = this.told[queue];
      const now = this.#count(queue);
      return told === undefined || (now !== told && Math.abs(now - told) >= told * MATTERS);
    });
  }

  /** @param except queues that nobody serves */
  answer(except: ReadonlySet<Queue>): Slots {
    const queues = [...new Set([...Object.keys(this.told), ...Object.keys(this.#now)])].sort();
    return Object.fromEntries(
      queues.filter((queue) => !except.has(queue)).map((queue) => [queue, this.#count(queue)] as const),
    );
  }

  /** Returns the slots of a queue to report. */
  #count(queue: Queue): number {
    const [told, now] = [this.told[queue], this.#now[queue]];
    if (told === undefined || now === undefined || now >= told) return (now ?? told)!;
    return this.#nowMs - this.#fewerSince.get(queue)! >= GONE_MS ? now : told;
  }
}
