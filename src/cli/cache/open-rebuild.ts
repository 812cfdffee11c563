import type { Store } from '../../activities/ports.js';
import { sha256 } from '../../adapters/sha256.js';
import { indexAddresses } from '../../adapters/facts/ours.js';
import { readProfile } from '../../adapters/facts/profile.js';
import { readReleaseText, parsedRelease } from '../../adapters/facts/release-text.js';
import { projectOf } from '../../engine/index/listed.js';
import { fail } from '../../model/failure.js';
import { MOST_RESTORED, type ListRequest, type Restored } from '../../model/index-writer.js';
import type { LostWheel, Remade } from '../../model/remade.js';
import { type Indexed, records } from '../../model/run-folder.js';
import { closing } from '../closing.js';
import type { Writing } from './index-opener.js';
import { noneToRebuild } from './errors.js';

/** A copy of an entry in the store. */
export interface Copy extends Indexed {
  readonly platform: string;
}

/** The index of one target, as the store knows it. */
export interface IndexCopies {
  /** Name of the target in the release file. */
  readonly target: string;
  readonly copies: readonly Copy[];
  /** Puts back what the index lacks of some of these wheels. */
  restore(copies: readonly Copy[]): Promise<readonly Restored[]>;
  /** Builds wheels again that the store lost, in their order. */
  remake(copies: readonly Copy[]): Promise<readonly Remade[]>;
}

interface RebuildHere extends Writing {
  readonly remake: (lost: readonly LostWheel[]) => Promise<readonly Remade[]>;
}

/** Opens the copies of the indexes of a release file. Throws REBUILD_NO_INDEX if it has no target of kind simple. */
export async function openRebuild(file: string, profile: string, here: RebuildHere): Promise<readonly IndexCopies[]> {
  const read = await readReleaseText(file, process.cwd());
  const { content } = parsedRelease(read);
  const targets = indexAddresses({ content, profile: await readProfile(profile, read.folder) });
  if (targets.length === 0) throw fail(noneToRebuild(file));
  const store = await here.store();
  return Promise.all(
    targets.map(async ({ target, address }) => ({
      target,
      copies: await copiesOf(store, address),
      restore: (copies: readonly Copy[]) => restored(here, address, copies),
      remake: (copies: readonly Copy[]) => here.remake(copies),
    })),
  );
}

async function copiesOf(store: Store, address: string): Promise<readonly Copy[]> {
  const folder = records.indexed(sha256(address));
  const found: Copy[] = [];
  for (const name of await store.list(folder)) {
    const copy = await store.read<Indexed>(name);
    if (copy !== null) found.push({ ...copy, platform: name.slice(folder.length).split('/')[0]! });
  }
  return found.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

const keyOf = ({ platform, entry }: Copy): string => `${platform} ${entry.file}`;

/** The plan of the newest copy names the target: a writer takes addresses and secrets from signed plans alone. */
async function restored(here: RebuildHere, planned: string, copies: readonly Copy[]): Promise<readonly Restored[]> {
  const newest = copies.toSorted((a, b) => (a.entry.uploadTime < b.entry.uploadTime ? 1 : -1))[0];
  if (newest === undefined) return [];
  const { plan, step, run } = newest;
  const address = await here.address(planned);
  await using open = closing(await here.writer());
  const rows: Restored[] = [];
  for (const some of batches(copies)) {
    const names = [...new Set(some.map(({ platform, entry }) => `${platform}/${projectOf(entry.file)}`))];
    const request: ListRequest = { plan, step, run, names, restore: some.map(({ entry }) => entry.digest) };
    rows.push(...((await open.writer.list(address, request)).restored ?? []));
  }
  return rows;
}

/** Each batch has wheels of one platform: the same bytes may be listed for several. */
function batches(copies: readonly Copy[]): readonly (readonly Copy[])[] {
  const platforms = [...new Set(copies.map(({ platform }) => platform))];
  return platforms.flatMap((platform) => {
    const own = copies.filter((copy) => copy.platform === platform);
    const starts = Array.from({ length: Math.ceil(own.length / MOST_RESTORED) }, (_, index) => index * MOST_RESTORED);
    return starts.map((start) => own.slice(start, start + MOST_RESTORED));
  });
}
