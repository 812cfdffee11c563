import { setTimeout as pause } from 'node:timers/promises';

const APART_MS = 100;

/** The first answer that will do. Asked a moment apart: each question is work for the very workers that are to get there. */
export async function until<Answer>(ask: () => Promise<Answer>, will: (answer: Answer) => boolean): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (will(answer)) return answer;
    await pause(APART_MS);
  }
}
