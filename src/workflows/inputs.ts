import { condition } from '@temporalio/workflow';
import type { Input, Numbered } from '../engine/inputs.js';

/** One queue for everything that happens to a run, numbered in the order it happened. */
export class Inputs {
  #pending: Numbered[] = [];
  #count = 0;

  /** Answers the number that it got. */
  push(input: Input): number {
    this.#pending.push({ ...input, no: ++this.#count });
    return this.#count;
  }

  /** All that came since the last call. */
  take(): readonly Numbered[] {
    return this.#pending.splice(0);
  }

  async arrival(): Promise<void> {
    await condition(() => this.#pending.length > 0);
  }
}
