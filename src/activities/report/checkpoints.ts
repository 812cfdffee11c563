import type { LoadCheckpoint, SaveCheckpoint } from '../../model/checkpoint.js';
import { digestOf, isDigest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { records } from '../../model/run-folder.js';
import type { Store } from '../ports.js';
import { sha256 } from '../sha256.js';
import { checkpointAltered, checkpointMissing } from './errors.js';

/** Saves the state of a run that is about to continue as new. Its name is its digest, so that the same state is one record. */
export const createSaveCheckpoint =
  (store: Store): SaveCheckpoint =>
  async ({ run, checkpoint }) => {
    const digest = digestOf(checkpoint, sha256);
    await store.create(records.checkpoint(run, digest), checkpoint);
    return digest;
  };

/** Loads what the history before saved. The digest is from Temporal's history, so an altered record is refused. */
export const createLoadCheckpoint =
  (store: Store): LoadCheckpoint =>
  async ({ run, digest }) => {
    if (!isDigest(digest)) throw fail(checkpointMissing(run, String(digest)));
    const found = await store.read<Awaited<ReturnType<LoadCheckpoint>>>(records.checkpoint(run, digest));
    if (found === null) throw fail(checkpointMissing(run, digest));
    if (digestOf(found, sha256) !== digest) throw fail(checkpointAltered(run, digest));
    return found;
  };
