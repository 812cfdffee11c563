import { records } from '../../model/run-folder.js';
import type { KeepAudit } from '../../model/actions.js';
import type { Store } from '../ports.js';

/** Stores the audit of a run: who said which action, when, why, and the answer. The first record of an action is final. */
export const createKeepAudit =
  (store: Store): KeepAudit =>
  async ({ run, actions }) => {
    for (const action of actions) {
      if (action.answer.ok && action.answer.round)
        await store.create(records.rounds(run, action.answer.round.round), action.answer.round);
      await store.create(records.audit(run, action.no), action);
    }
  };
