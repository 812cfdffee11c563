import { setTimeout as pause } from 'node:timers/promises';

const APART_MS = 50;

let failure: Error | null = null;
let tellFailure: (error: Error) => void = () => undefined;
const failing = new Promise<never>((_, reject) => (tellFailure = reject));
failing.catch(() => undefined); // a suite may wait for nothing

/** Ends the waits of this suite with an error: what they wait for cannot come. The first error counts. */
export function failWaits(error: Error): void {
  failure ??= error;
  tellFailure(failure);
}

/** The same promise, unless `failWaits` ends the suite's waits before it settles. */
export const unlessFailed = <Answer>(promise: Promise<Answer>): Promise<Answer> => Promise.race([promise, failing]);

/** The first answer that is neither null, undefined nor false. It asks again and again, without a limit of its own: how long a
 * machine takes is no part of what a test says, and the watchdog of jest.config.js ends what hangs. */
export async function until<Answer>(
  ask: () => Promise<Answer | null | undefined | false> | Answer | null | undefined | false,
): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (failure !== null) throw failure;
    await pause(APART_MS);
  }
}
