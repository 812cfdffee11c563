import { setImmediate } from 'node:timers';

/** Work that holds up the whole process lasts no longer in one go. */
const LONGEST_MS = 10;

let begunMs: number | null = null;

/** Before each piece of such work: waits until the others had their turn, where pieces came one upon the other for too long. */
export async function myTurn(): Promise<void> {
  while (begunMs !== null && performance.now() - begunMs > LONGEST_MS)
    await new Promise<void>((others) => setImmediate(others));
  if (begunMs !== null) return;
  begunMs = performance.now();
  setImmediate(() => (begunMs = null));
}
