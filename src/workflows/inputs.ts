import { condition } from '@temporalio/workflow';
import type { Input, Numbered } from '../engine/run/inputs.js';

/** One queue for everything that happens to a run, numbered in the order it happened. */
export class Inputs {
  #pending: Numbered[] = [];
  #nudged = false;
  #closed = false;

  /** @param count of those that came before */
  constructor(private count = 0) {}

  /** Answers the number that it got. */
  push(input: Input): number {
    this.#pending.push({ ...input, no: ++this.count });
    return this.count;
  }

  /** All that came since the last call. */
  take(): readonly Numbered[] {
    this.#nudged = false;
    return this.#pending.splice(0);
  }

  get some(): boolean {
    return this.#pending.length > 0;
  }

  /** Nothing arrives any more. */
  close(): void {
    this.#closed = true;
  }

  /** Whoever waits for an arrival is to look around. */
  nudge(): void {
    this.#nudged = true;
  }

  async arrival(): Promise<void> {
    await condition(() => !this.#closed && (this.#nudged || this.#pending.length > 0));
  }
}
