import type { Queue } from '../../model/ids.js';

/** Steps that are ready, per queue: the longest remaining path first, the plan's order among equals. */
export class ReadyQueue {
  readonly #ready = new Map<Queue, number[]>();
  readonly #underWay = new Map<Queue, number>();

  /** @param sizeOf steps of a queue that may be under way at once, at least one; it may change at any time */
  constructor(
    private readonly sizeOf: (queue: Queue) => number,
    private readonly queueOf: (step: number) => Queue,
    private readonly remaining: readonly number[],
  ) {}

  /** A step stands in line once, however often it is put there. */
  add(step: number): void {
    const queue = this.queueOf(step);
    const list = this.#ready.get(queue) ?? [];
    this.#ready.set(queue, list);
    const place = this.#place(list, step);
    if (list[place - 1] !== step) list.splice(place, 0, step);
  }

  /** Takes out the steps that may start now; those that `wanted` refuses are forgotten. */
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

  /** An attempt is under way that was not taken from here. */
  occupy(step: number): void {
    const queue = this.queueOf(step);
    this.#underWay.set(queue, (this.#underWay.get(queue) ?? 0) + 1);
  }

  /** An attempt ended: its place is free again. */
  release(step: number): void {
    const queue = this.queueOf(step);
    this.#underWay.set(queue, (this.#underWay.get(queue) ?? 0) - 1);
  }

  /** Lists are kept with the most urgent last, so that taking is a pop. */
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
