import { sleep } from '@temporalio/workflow';
import { fail } from '../model/failure.js';
import { refused } from './problems-of.js';

/** Tries for an answer that is well formed. Another worker may give one. */
const TRIES = 5;
const PAUSE_MS = 1000;

/** Asks until an answer is well formed. Throws ANSWER_REFUSED after five that are not. Any program that takes tasks of a queue can
 * answer.
 * @param check returns why an answer is malformed. Null if it is not
 * @param about names the question in the failure */
export async function soundAnswer<Answer>(
  about: string,
  ask: () => Promise<Answer>,
  check: (answer: Answer) => string | null,
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await ask();
    const fault = check(answer);
    if (fault === null) return answer;
    if (tries === TRIES) throw fail(refused(about, fault, answer));
    await sleep(tries * PAUSE_MS);
  }
}
