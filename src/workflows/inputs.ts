import type { Input, Numbered } from '../engine/run/inputs.js';

/** The queue of all inputs of a run, numbered in their order. */
export class Inputs {
  #pending: Numbered[] = [];
  /** Adds inputs once all that came with them is applied. */
  #late: (() => void)[] = [];
  #closed = false;

  /** @param count number of earlier inputs */
  constructor(private count = 0) {}

  /** Adds an input. Returns its number. */
  push(input: Input): number {
    this.#pending.push({ ...input, no: ++this.count });
    return this.count;
  }

  /** Calls `add` once the inputs that came with it are taken. */
  pushLate(add: () => void): void {
    this.#late.push(add);
  }

  /** Calls all that still waits to add inputs. */
  addLate(): void {
    for (const add of this.#late.splice(0)) add();
  }

  /** Returns all inputs since the last call. Late ones come by a call of their own. */
  take(): readonly Numbered[] {
    if (this.#pending.length === 0) this.addLate();
    return this.#pending.splice(0);
  }

  /** Returns whether inputs wait to be taken. False once the queue is closed. */
  get some(): boolean {
    return !this.#closed && this.#pending.length + this.#late.length > 0;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Closes the queue. Nobody takes later inputs. */
  close(): void {
    this.#closed = true;
  }
}
