import type { Queue } from '../../model/ids.js';
import type { Pool } from '../../model/tests/cluster.js';

/** Ready steps of each task queue, longest remaining path first. Equal paths keep the plan's order. */
export class ReadyQueue {
  readonly #ready = new Map<Queue, number[]>();
  readonly #underWay = new Map<Queue, number>();

  readonly #pooled = new Map<string, number>();

  /** @param sizeOf limit of a queue's concurrent steps, at least one; it may change at any time
   * @param poolOf pool of which a running step holds a place; the limit is the step's own */
  constructor(
    private readonly sizeOf: (queue: Queue) => number,
    private readonly queueOf: (step: number) => Queue,
    private readonly remaining: readonly number[],
    private readonly poolOf: (step: number) => Pool | undefined = () => undefined,
  ) {}

  /** Adds a step. A queued step stays where it is. */
  add(step: number): void {
    const queue = this.queueOf(step);
    const list = this.#ready.get(queue) ?? [];
    this.#ready.set(queue, list);
    const place = this.#place(list, step);
    if (list[place - 1] !== step) list.splice(place, 0, step);
  }

  /** Removes and returns the steps that may start now. Steps that `wanted` refuses are removed too. A step without a free place in its
   * pool stays, and lets less urgent steps pass. */
  take(wanted: (step: number) => boolean): readonly number[] {
    const taken: number[] = [];
    for (const [queue, list] of this.#ready) {
      const free = this.sizeOf(queue) - (this.#underWay.get(queue) ?? 0);
      const before = taken.length;
      for (let at = list.length - 1; at >= 0 && taken.length - before < free; at -= 1) {
        const step = list[at]!;
        if (!this.#hasPlace(step)) continue;
        list.splice(at, 1);
        if (!wanted(step)) continue;
        taken.push(step);
        this.#pool(step, 1);
      }
      this.#underWay.set(queue, (this.#underWay.get(queue) ?? 0) + taken.length - before);
    }
    return taken;
  }

  /** Occupies a slot for a running attempt. */
  occupy(step: number): void {
    const queue = this.queueOf(step);
    this.#underWay.set(queue, (this.#underWay.get(queue) ?? 0) + 1);
    this.#pool(step, 1);
  }

  release(step: number): void {
    const queue = this.queueOf(step);
    this.#underWay.set(queue, (this.#underWay.get(queue) ?? 0) - 1);
    this.#pool(step, -1);
  }

  #hasPlace(step: number): boolean {
    const pool = this.poolOf(step);
    return pool === undefined || (this.#pooled.get(pool.name) ?? 0) < pool.limit;
  }

  #pool(step: number, change: 1 | -1): void {
    const pool = this.poolOf(step);
    if (pool !== undefined) this.#pooled.set(pool.name, (this.#pooled.get(pool.name) ?? 0) + change);
  }

  /** Inserts in order. The most urgent step is last, so taking it is a pop. */
  #place(list: readonly number[], step: number): number {
    let [low, high] = [0, list.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#before(list[middle]!, step)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #before(a: number, b: number): boolean {
    const [pathA, pathB] = [this.remaining[a]!, this.remaining[b]!];
    return pathA !== pathB ? pathA > pathB : a < b;
  }
}
