import type { Input, Numbered } from '../engine/run/inputs.js';

/** The queue of all inputs of a run, numbered in their order. */
export class Inputs {
  #pending: Numbered[] = [];
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
    return this.#pending.splice(0);
  }

  /** Returns whether inputs wait to be taken. False once the queue is closed. */
  get some(): boolean {
    return !this.#closed && this.#pending.length > 0;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Closes the queue. Nobody takes later inputs. */
  close(): void {
    this.#closed = true;
  }
}
