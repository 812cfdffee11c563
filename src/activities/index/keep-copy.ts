import { digestOf } from '../../model/digest.js';
import { indexPaths, SIDECAR, STATEMENT, type IndexEntry } from '../../model/python/index-entry.js';
import { type Indexed, records } from '../../model/run-folder.js';
import { projectOf } from '../../engine/index/listed.js';
import { bytesOf } from '../read-text.js';
import { sha256 } from '../sha256.js';
import type { Work } from '../work.js';
import type { IndexPlace } from './ports.js';

type Keeping = Pick<Work<'publishArtifacts'>, 'plan' | 'run' | 'step' | 'store'>;

/** Keeps a copy of an entry in the store, with the texts beside its wheel: a lost index is restored from copies. The wheel is in
 * the store already. */
export async function keepCopy(
  { plan, run, step, store }: Keeping,
  place: IndexPlace,
  platform: string,
  entry: IndexEntry,
): Promise<void> {
  const name = records.indexed(sha256(step.params.target.address), platform, entry.digest);
  if ((await store.read<Indexed>(name)) !== null) return;
  const path = indexPaths.file(platform, projectOf(entry.file), entry.file);
  for (const text of [path + SIDECAR, path + STATEMENT]) {
    const seen = await place.read(text);
    if (seen !== null) await store.put(bytesOf(seen.text));
  }
  await store.create<Indexed>(name, { entry, plan: digestOf(plan, sha256), step: step.id, run });
}
