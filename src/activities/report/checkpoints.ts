import type { LoadCheckpoint, SaveCheckpoint } from '../../model/checkpoint.js';
import { digestOf, isDigest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { records } from '../../model/run-folder.js';
import type { Store } from '../ports.js';
import { sha256 } from '../sha256.js';
import { checkpointAltered, checkpointMissing } from './errors.js';

/** Saves the state of a run that is about to continue as new. The record is named by its digest, so that repeated saves
 * make one record. */
export const createSaveCheckpoint =
  (store: Store): SaveCheckpoint =>
  async ({ run, checkpoint }) => {
    const digest = digestOf(checkpoint, sha256);
    await store.create(records.checkpoint(run, digest), checkpoint);
    return digest;
  };

/** Loads the checkpoint of the previous history. The digest comes from Temporal's history. Throws CHECKPOINT_MISSING or
 * CHECKPOINT_ALTERED. */
export const createLoadCheckpoint =
  (store: Store): LoadCheckpoint =>
  async ({ run, digest }) => {
    if (!isDigest(digest)) throw fail(checkpointMissing(run, String(digest)));
    const found = await store.read<Awaited<ReturnType<LoadCheckpoint>>>(records.checkpoint(run, digest));
    if (found === null) throw fail(checkpointMissing(run, digest));
    if (digestOf(found, sha256) !== digest) throw fail(checkpointAltered(run, digest));
    return found;
  };
