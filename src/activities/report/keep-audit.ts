import { records } from '../../model/run-folder.js';
import type { KeepAudit } from '../../model/words.js';
import type { Store } from '../ports.js';

/** Who said what to a run, when and why, and what became of it. The first record of a word stands. */
export const createKeepAudit =
  (store: Store): KeepAudit =>
  async ({ run, words }) => {
    for (const word of words) {
      if (word.answer.ok && word.answer.round)
        await store.create(records.rounds(run, word.answer.round.round), word.answer.round);
      await store.create(records.audit(run, word.no), word);
    }
  };
