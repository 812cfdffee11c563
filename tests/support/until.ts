import { setTimeout as pause } from 'node:timers/promises';

const APART_MS = 50;

/** The first answer that is neither null, undefined nor false. It asks again and again, without a limit of its own: how long a
 * machine takes is no part of what a test says, and the watchdog of jest.config.js ends what hangs. */
export async function until<Answer>(
  ask: () => Promise<Answer | null | undefined | false> | Answer | null | undefined | false,
): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    await pause(APART_MS);
  }
}
