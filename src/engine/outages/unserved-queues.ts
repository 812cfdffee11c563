import { CONTROL, type Queue } from '../../model/ids.js';
import type { WaitingQueue } from '../../model/messages.js';
import type { SkeletonStep } from '../../model/plan.js';
import { isMachine, type UnservedQueue } from '../../model/worker.js';
import { isReady, type StepProgress } from '../run/step-progress.js';
import { earliest } from '../run/earliest.js';

/** What a run knows of queues without workers: plain data. */
export interface UnservedState {
  /** Of each such queue, since when, in milliseconds since 1970. */
  since: Readonly<Record<Queue, number>>;
  /** Since when time counts, where a pause stopped it; null while it is stopped. */
  countsFrom: number | null;
}

/** Queues that nobody serves, and who waits for that. Steps are handed to Temporal all the same: the first worker that comes
 * takes them at once. Here it is only known, told, and limited where the release file says `unserved: wait 4h`. */
export class UnservedQueues {
  readonly state: UnservedState = { since: {}, countsFrom: 0 };
  /** Steps that do not wait for ever. */
  readonly #bounded: readonly number[];

  constructor(
    private readonly steps: readonly SkeletonStep[],
    private readonly cells: readonly StepProgress[],
  ) {
    this.#bounded = steps.flatMap(({ waitMs }, step) => (waitMs === undefined ? [] : [step]));
  }

  /** All queues that nobody serves now, in place of those before. */
  set(unserved: readonly UnservedQueue[]): void {
    this.state.since = Object.fromEntries(unserved.map(({ queue, since }) => [queue, since]));
  }

  /** A paused run waits for people, not for workers: its time begins anew when it goes on. */
  stop(): void {
    this.state.countsFrom = null;
  }

  goOn(nowMs: number): void {
    this.state.countsFrom = nowMs;
  }

  /** Whether a step could go on if somebody served its queue. */
  holds(step: number): boolean {
    return Object.hasOwn(this.state.since, this.steps[step]!.on) && isReady(this.cells[step]!);
  }

  /** Since when a step waits for its queue, in milliseconds since 1970; null where it does not. */
  sinceMs(step: number): number | null {
    if (!this.holds(step)) return null;
    return Math.max(this.state.since[this.steps[step]!.on]!, this.cells[step]!.readyAtMs ?? 0);
  }

  /** When a step has waited long enough for its queue; null where it does not wait, or waits for ever. */
  untilMs(step: number): number | null {
    const { waitMs } = this.steps[step]!;
    if (waitMs === undefined || !this.#some() || this.cells[step]!.gaveUp) return null;
    const since = this.sinceMs(step);
    return since === null || this.state.countsFrom === null ? null : Math.max(since, this.state.countsFrom) + waitMs;
  }

  /** The next time at which a step has waited long enough; null where none will. */
  nextMs(): number | null {
    return earliest(this.#limited().map((step) => this.untilMs(step)));
  }

  /** Steps whose time is over. */
  over(nowMs: number): readonly number[] {
    return this.#limited().filter((step) => (this.untilMs(step) ?? Infinity) <= nowMs);
  }

  /** What people are told: queues that steps wait for. */
  waiting(): readonly WaitingQueue[] {
    return Object.entries(this.state.since).flatMap(([queue, since]) => {
      const mine = this.#all().filter((step) => this.steps[step]!.on === queue && this.holds(step));
      const until = earliest(mine.map((step) => this.untilMs(step)));
      if (mine.length === 0) return [];
      return [{ queue, since, steps: mine.length, ...(until === null ? {} : { until }), could: whoCould(queue) }];
    });
  }

  #limited(): readonly number[] {
    return this.#some() ? this.#bounded : [];
  }

  #all(): readonly number[] {
    return this.#some() ? [...this.steps.keys()] : [];
  }

  #some(): boolean {
    for (const _ in this.state.since) return true;
    return false;
  }
}

/** What to type, and where: a queue is named after the machines that serve it. */
export function whoCould(queue: Queue): string {
  const start = `\`slipway worker start --queues ${queue}\``;
  if (queue === CONTROL) return `\`slipway up\` where the release was started, or ${start}`;
  return isMachine(queue)
    ? `${start} on a ${queue} machine`
    : `${start} on a machine of that kind (${queue} in config/queues.yaml)`;
}

/** All that is to be said of a queue that steps wait for: what is the matter, and what to do. */
export function waitingSentences({ queue, since, steps, until, could }: WaitingQueue): readonly [string, string] {
  const limit = until === undefined ? '' : `; the first of them fails at ${clock(until)}`;
  return [
    `nobody serves the queue ${queue} since ${clock(since)}, and ${steps === 1 ? '1 step waits' : `${steps} steps wait`}${limit}`,
    `type ${could}`,
  ];
}

/** A time in full, without fractions of a second. */
export const clock = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
