import { aborted } from '../aborted.js';

/** Lets one after another have its turn. */
export class Turns {
  private last: Promise<void> = Promise.resolve();

  /** Resolves with a function that ends the turn. Rejects with the signal's reason if it aborts first. */
  async take(signal: AbortSignal): Promise<() => void> {
    const before = this.last;
    let done!: () => void;
    const mine = new Promise<void>((resolve) => (done = resolve));
    this.last = before.then(() => mine);
    try {
      await Promise.race([before, aborted(signal)]);
      signal.throwIfAborted();
      return done;
    } catch (error) {
      done();
      throw error;
    }
  }
}
