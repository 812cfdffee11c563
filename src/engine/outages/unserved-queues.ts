import { CONTROL, type Queue } from '../../model/ids.js';
import type { WaitingQueue } from '../../model/messages.js';
import type { SkeletonStep } from '../../model/plan.js';
import { isMachine, type UnservedQueue } from '../../model/worker.js';
import { isReady, type StepProgress } from '../run/step-progress.js';
import { earliest } from '../run/earliest.js';

export interface UnservedState {
  /** Time since which each queue has no worker, in milliseconds since 1970. */
  since: Readonly<Record<Queue, number>>;
  /** Last restart of the waiting times after a pause. Null during a pause. */
  countsFrom: number | null;
}

/** Queues without a worker, and the steps that wait for one. Steps are scheduled regardless, so the first worker takes
 * them at once. This class reports the wait, and limits it if the release file says `unserved: wait 4h`. */
export class UnservedQueues {
  readonly state: UnservedState = { since: {}, countsFrom: 0 };
  readonly #bounded: readonly number[];

  constructor(
    private readonly steps: readonly SkeletonStep[],
    private readonly cells: readonly StepProgress[],
  ) {
    this.#bounded = steps.flatMap(({ waitMs }, step) => (waitMs === undefined ? [] : [step]));
  }

  set(unserved: readonly UnservedQueue[]): void {
    this.state.since = Object.fromEntries(unserved.map(({ queue, since }) => [queue, since]));
  }

  /** Stops the waiting times during a pause. */
  stop(): void {
    this.state.countsFrom = null;
  }

  goOn(nowMs: number): void {
    this.state.countsFrom = nowMs;
  }

  /** Whether a step waits only for a worker of its queue. */
  holds(step: number): boolean {
    return Object.hasOwn(this.state.since, this.steps[step]!.on) && isReady(this.cells[step]!);
  }

  /** Returns since when a step waits for its queue, in milliseconds since 1970. Null if it does not wait. */
  sinceMs(step: number): number | null {
    if (!this.holds(step)) return null;
    return Math.max(this.state.since[this.steps[step]!.on]!, this.cells[step]!.readyAtMs ?? 0);
  }

  /** Returns when the wait of a step exceeds its limit. Null if it does not wait, or has no limit. */
  untilMs(step: number): number | null {
    const { waitMs } = this.steps[step]!;
    if (waitMs === undefined || !this.#some() || this.cells[step]!.gaveUp) return null;
    const since = this.sinceMs(step);
    return since === null || this.state.countsFrom === null ? null : Math.max(since, this.state.countsFrom) + waitMs;
  }

  /** Returns when the first wait exceeds its limit, in milliseconds since 1970. Null if none can. */
  nextMs(): number | null {
    return earliest(this.#limited().map((step) => this.untilMs(step)));
  }

  /** Returns the steps whose wait exceeds its limit. */
  over(nowMs: number): readonly number[] {
    return this.#limited().filter((step) => (this.untilMs(step) ?? Infinity) <= nowMs);
  }

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

/** Returns the command that starts a worker, and its machine. A queue is named after the machines that serve it. */
export function whoCould(queue: Queue): string {
  const start = `\`slipway worker start --queues ${queue}\``;
  if (queue === CONTROL) return `\`slipway up\` where the release was started, or ${start}`;
  return isMachine(queue)
    ? `${start} on a ${queue} machine`
    : `${start} on a machine of that kind (${queue} in config/queues.yaml)`;
}
