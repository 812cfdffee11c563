import { condition } from '@temporalio/workflow';
import type { Input, Numbered } from '../engine/run/inputs.js';

/** The queue of all inputs of a run, numbered in their order. */
export class Inputs {
  #pending: Numbered[] = [];
  #nudged = false;
  #closed = false;

  /** @param count number of earlier inputs */
  constructor(private count = 0) {}

  /** Adds an input. Returns its number. */
  push(input: Input): number {
    this.#pending.push({ ...input, no: ++this.count });
    return this.count;
  }

  /** Returns all inputs since the last call. */
  take(): readonly Numbered[] {
    this.#nudged = false;
    return this.#pending.splice(0);
  }

  get some(): boolean {
    return this.#pending.length > 0;
  }

  /** Closes the queue. Later inputs are dropped. */
  close(): void {
    this.#closed = true;
  }

  /** Wakes a waiting `arrival` without an input. */
  nudge(): void {
    this.#nudged = true;
  }

  async arrival(): Promise<void> {
    await condition(() => !this.#closed && (this.#nudged || this.#pending.length > 0));
  }
}
