import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isFinding, readEntry, readGone } from '../../engine/index/read-record.js';
import { projectOf } from '../../engine/index/listed.js';
import { short, type Digest } from '../../model/digest.js';
import { SlipwayFailure } from '../../model/failure.js';
import type { Restored } from '../../model/index-writer.js';
import { canonical } from '../../model/json.js';
import { indexPaths, SIDECAR, STATEMENT, type IndexEntry } from '../../model/python/index-entry.js';
import { type Indexed, records } from '../../model/run-folder.js';
import type { Store } from '../ports.js';
import { readText } from '../read-text.js';
import { sha256 } from '../sha256.js';
import type { RestorePlace } from './ports.js';

export interface Restoring {
  readonly place: RestorePlace;
  readonly store: Store;
  /** Folder for one wheel at a time. */
  readonly folder: string;
}

/** Wheels that an index is to have again. */
export interface Lost {
  /** Digest of the target's address, as plans say it. */
  readonly address: Digest;
  readonly platforms: readonly string[];
  readonly wheels: readonly Digest[];
}

/** Puts back what an index lacks of some wheels, from the copies in the store: the file, the texts beside it, the entry. No wheel
 * is replaced. A wheel that the index records as removed stays away. */
export async function restore(around: Restoring, { address, platforms, wheels }: Lost): Promise<readonly Restored[]> {
  const restored: Restored[] = [];
  for (const platform of platforms)
    for (const wheel of wheels) {
      const copy = await around.store.read<Indexed>(records.indexed(address, platform, wheel));
      if (copy === null || (await isRemoved(around.place, platform, copy.entry.file))) continue;
      const { file } = copy.entry;
      restored.push({ platform, file, ...(await stateOf(around, platform, copy.entry)) });
    }
  return restored;
}

async function isRemoved(place: RestorePlace, platform: string, file: string): Promise<boolean> {
  const path = indexPaths.goneFile(platform, projectOf(file), file);
  const seen = await place.read(path);
  const gone = seen === null ? null : readGone(path, seen.text);
  return gone !== null && (isFinding(gone) || gone.state === 'removed');
}

/** Codes of a store that has no sound copy. */
const LOST = ['STORE_ALTERED', 'STORE_MISSING'];

type State = Pick<Restored, 'state' | 'why'>;

async function stateOf(around: Restoring, platform: string, entry: IndexEntry): Promise<State> {
  const path = indexPaths.file(platform, projectOf(entry.file), entry.file);
  const held = await around.place.digest(path);
  if (held !== null && held !== entry.digest)
    return { state: 'differs', why: `the index holds ${short(held)}, and its entry said ${short(entry.digest)}` };
  const known = await soundEntry(around.place, platform, entry);
  if (known !== null && known.digest !== entry.digest) return described(entryPath(platform, entry), known, entry);
  try {
    if (held === null) await putFile(around, path, entry.digest);
    await putText(around, path + SIDECAR, entry.metadata, known?.metadata);
    await putText(around, path + STATEMENT, entry.statement, known?.statement);
    if (known !== null) return { state: held === null ? 'restored' : 'there', why: null };
    return await putEntry(around, platform, entry);
  } catch (error) {
    if (!(error instanceof SlipwayFailure) || !LOST.includes(error.first.code)) throw error;
    return { state: 'lost', why: error.first.message };
  }
}

async function putFile({ place, store, folder }: Restoring, path: string, digest: Digest): Promise<void> {
  const copy = join(folder, 'wheel');
  try {
    await store.fetch(digest, copy);
    await place.createFile(path, copy);
  } finally {
    await rm(copy, { force: true });
  }
}

/** Puts back a text. Another one is replaced if the entry says that this one belongs there.
 * @param wanted digest in the entry that the index has */
async function putText({ place, store }: Restoring, path: string, digest: Digest, wanted = digest): Promise<void> {
  const seen = await place.read(path);
  if (seen === null) await place.create(path, await readText(store, digest));
  else if (digest === wanted && sha256(seen.text) !== wanted)
    await place.swap(path, await readText(store, digest), seen);
}

const entryPath = (platform: string, { file }: IndexEntry): string => indexPaths.entry(platform, projectOf(file), file);

/** Returns the entry that the index has. Null for a damaged one. */
async function soundEntry(place: RestorePlace, platform: string, entry: IndexEntry): Promise<IndexEntry | null> {
  const path = entryPath(platform, entry);
  const seen = await place.read(path);
  const known = seen === null ? null : readEntry(path, seen.text);
  return known === null || isFinding(known) ? null : known;
}

const described = (path: string, known: IndexEntry, entry: IndexEntry): State => ({
  state: 'differs',
  why: `${path} describes ${short(known.digest)}, and it said ${short(entry.digest)}`,
});

async function putEntry({ place }: Restoring, platform: string, entry: IndexEntry): Promise<State> {
  const path = entryPath(platform, entry);
  const seen = await place.read(path);
  if (seen === null) await place.create(path, canonical(entry));
  else if (isFinding(readEntry(path, seen.text))) await place.swap(path, canonical(entry), seen);
  return { state: 'restored', why: null };
}
