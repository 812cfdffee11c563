import type { KeepStatus } from '../../model/messages.js';
import { records } from '../../model/run-folder.js';
import type { Store } from '../ports.js';

/** Keeps how a run ended where no Temporal server is asked. The first one stands, as with all records. */
export const createKeepStatus =
  (store: Store): KeepStatus =>
  async (status) => {
    await store.create(records.status(status.run), status);
  };
