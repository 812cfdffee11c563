import { setImmediate } from 'node:timers';

/** Longest synchronous work before the event loop runs. */
const LONGEST_MS = 10;

let begunMs: number | null = null;

/** Call before each piece of synchronous work. Yields to the event loop if pieces in a row took too long. */
export async function myTurn(): Promise<void> {
  while (begunMs !== null && performance.now() - begunMs > LONGEST_MS)
    await new Promise<void>((others) => setImmediate(others));
  if (begunMs !== null) return;
  begunMs = performance.now();
  setImmediate(() => (begunMs = null));
}
