import type { Queue } from '../../model/ids.js';

/** Ready steps of each task queue, longest remaining path first. Equal paths keep the plan's order. */
export class ReadyQueue {
  readonly #ready = new Map<Queue, number[]>();
  readonly #underWay = new Map<Queue, number>();

  /** @param sizeOf limit of a queue's concurrent steps, at least one; it may change at any time */
  constructor(
    private readonly sizeOf: (queue: Queue) => number,
    private readonly queueOf: (step: number) => Queue,
    private readonly remaining: readonly number[],
  ) {}

  /** Adds a step. A queued step stays where it is. */
  add(step: number): void {
    const queue = this.queueOf(step);
    const list = this.#ready.get(queue) ?? [];
    this.#ready.set(queue, list);
    const place = this.#place(list, step);
    if (list[place - 1] !== step) list.splice(place, 0, step);
  }

  /** Removes and returns the steps that may start now. Steps that `wanted` refuses are removed too. */
  take(wanted: (step: number) => boolean): readonly number[] {
    const taken: number[] = [];
    for (const [queue, list] of this.#ready) {
      const free = this.sizeOf(queue) - (this.#underWay.get(queue) ?? 0);
      const before = taken.length;
      while (list.length > 0 && taken.length - before < free) {
        const step = list.pop()!;
        if (wanted(step)) taken.push(step);
      }
      this.#underWay.set(queue, (this.#underWay.get(queue) ?? 0) + taken.length - before);
    }
    return taken;
  }

  /** Occupies a slot for a running attempt. */
  occupy(step: number): void {
    const queue = this.queueOf(step);
    this.#underWay.set(queue, (this.#underWay.get(queue) ?? 0) + 1);
  }

  release(step: number): void {
    const queue = this.queueOf(step);
    this.#underWay.set(queue, (this.#underWay.get(queue) ?? 0) - 1);
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
