import { taskQueueOf } from '../../model/kinds.js';
import type { SkeletonStep } from '../../model/plan.js';

/** Returns the weight of each step in the longest path, in milliseconds. It is the expected duration, else the median
 * of its kind in this plan, of its queue, or of the whole plan. Time limits count only without any known duration:
 * they would put every unknown step first. */
export function weightsOf(steps: readonly SkeletonStep[]): readonly number[] {
  const [kinds, queues, all] = [new Known(), new Known(), new Known()];
  for (const { kind, on, expectedMs } of steps)
    if (expectedMs !== undefined) {
      kinds.put(kind, expectedMs);
      queues.put(on, expectedMs);
      all.put('', expectedMs);
    }
  return steps.map(
    ({ kind, on, expectedMs, limitMs }) =>
      expectedMs ?? kinds.median(kind) ?? queues.median(on) ?? all.median('') ?? limitMs,
  );
}

/** Returns the median duration of each queue in milliseconds. Queues without a known duration are absent. */
export function medianByQueue(steps: readonly SkeletonStep[]): Readonly<Record<string, number>> {
  const queues = new Known();
  for (const step of steps) if (step.expectedMs !== undefined) queues.put(taskQueueOf(step), step.expectedMs);
  return Object.fromEntries(queues.names().map((on) => [on, queues.median(on)!]));
}

class Known {
  readonly #times = new Map<string, number[]>();
  readonly #medians = new Map<string, number>();

  put(name: string, ms: number): void {
    const list = this.#times.get(name);
    if (list) list.push(ms);
    else this.#times.set(name, [ms]);
  }

  names(): readonly string[] {
    return [...this.#times.keys()].sort();
  }

  /** Returns the median, the lower one of two. Call it after all durations are added. */
  median(name: string): number | undefined {
    const times = this.#times.get(name);
    if (times === undefined) return undefined;
    const known = this.#medians.get(name) ?? times.sort((a, b) => a - b)[(times.length - 1) >> 1]!;
    this.#medians.set(name, known);
    return known;
  }
}
