import { randomOf } from '../../tools/random.cjs';

/** What passes between the workflow and others when a run continues as new: before, at and after the continuation, twice.
 * worker.cjs tells each by its bytes. */
const MOMENTS = [
  { moment: 'the checkpoint leaves', sign: 'checkpoint', way: 'leaves' },
  { moment: 'the history closes', sign: 'continued', way: 'leaves' },
  { moment: 'the checkpoint is asked for', sign: 'asked', way: 'leaves' },
  { moment: 'the digest of the saved checkpoint arrives', sign: 'saved', way: 'comes' },
  { moment: 'the next history begins', sign: 'continued', way: 'comes' },
  { moment: 'the checkpoint arrives', sign: 'checkpoint', way: 'comes' },
];
export const PROCESSES = ['workflows', 'server', 'steps'];
const VICTIMS = [['workflows'], ['server'], ['workflows', 'server'], ['workflows'], ['server'], ['workflows', 'steps']];
const LATEST_MS = 40;

/** Steps of a history, as src/workflows/long-history.ts allows. */
const STEPS_EACH = { chain: 2000, random: 9000 };
const EVENTS_PER_STEP = { chain: 6, random: 3.25 };
/** Share of the expected continuations that certainly happen. */
const SURE = 0.6;

/** Draws the kills. Each comes at the moment itself, before the server knows of it, or shortly after.
 * @param victims the processes that may be killed
 * @param continueAfter events of a history; null: as many as the product allows */
export function killsOf({ shape, steps, kills, seed, victims, continueAfter }) {
  const random = randomOf(seed + 1);
  const among = VICTIMS.filter((all) => all.every((one) => victims.includes(one)));
  const each = continueAfter === null ? STEPS_EACH[shape] : continueAfter / EVENTS_PER_STEP[shape];
  const last = Math.max(1, Math.floor((steps / each) * SURE));
  return Array.from({ length: kills }, (_, no) => ({
    ...{ no, ...MOMENTS[no % MOMENTS.length], number: 1 + Math.floor(random() * last) },
    ...{ afterMs: random() < 0.4 ? 0 : Math.ceil(random() * LATEST_MS) },
    victims: among[Math.floor(random() * among.length)],
  }));
}
