import { fail } from '../../model/failure.js';
import type { StepInput } from '../../model/messages.js';
import { roundsOf, type Round, type Rounds } from '../../model/rounds.js';
import { records } from '../../model/run-folder.js';
import type { Store } from '../ports.js';
import { roundMissing } from './errors.js';

/** Reads rounds up to the one of the attempt: an attempt that stops late must not write into the next round. Throws
 * ROUND_MISSING. */
export async function roundsUpTo(
  store: Store,
  { run, round: last = 1 }: Pick<StepInput, 'run' | 'round'>,
): Promise<Rounds> {
  const numbers = Array.from({ length: last - 1 }, (_, index) => index + 2);
  const rounds = await Promise.all(
    numbers.map(async (round) => {
      const found = await store.read<Round>(records.rounds(run, round));
      if (found === null) throw fail(roundMissing(run, round));
      return found;
    }),
  );
  return roundsOf(run, rounds);
}
