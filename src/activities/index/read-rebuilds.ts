import { lostBetween } from '../../model/python/links.js';
import type { Digest } from '../../model/digest.js';
import { type BuiltFrom, confirmedIn, type MadeBase, type NewerBase, type Rebuilds } from '../../model/made-base.js';
import type { IndexEntry } from '../../model/python/index-entry.js';
import { records } from '../../model/run-folder.js';
import type { Store } from '../ports.js';

type Reading = Pick<Store, 'list' | 'read'>;

/** Returns what earlier runs recorded about bases of listed wheels, and about builds that gave their bytes again. */
export async function readRebuilds(
  store: Reading,
  wheels: readonly Pick<IndexEntry, 'digest' | 'from'>[],
): Promise<Rebuilds> {
  const bases = new Set(wheels.flatMap(({ from: { base } }) => base ?? []));
  return {
    bases: await newerBases(store, bases),
    confirmed: await confirmations(store, new Set(wheels.map(({ digest }) => digest))),
  };
}

async function newerBases(store: Reading, wanted: ReadonlySet<Digest>): Promise<Rebuilds['bases']> {
  const found: Record<Digest, NewerBase> = {};
  for (const line of linesIn(wanted.size === 0 ? [] : await store.list(records.bases()))) {
    const former = line.filter((name) => wanted.has(digestIn(name)) && digestIn(name) !== digestIn(line.at(-1)!));
    const now = former.length === 0 ? null : await store.read<MadeBase>(line.at(-1)!);
    if (!now?.offers) continue;
    for (const name of former) {
      const { offers = null } = (await store.read<MadeBase>(name)) ?? {};
      if (offers === null) continue;
      found[digestIn(name)] = { now: now.digest, lost: lostBetween(offers.libraries, now.offers.libraries) };
    }
  }
  return found;
}

/** Returns the newest record of each line of a release, by line. */
export async function newestBases(store: Reading, release: string): Promise<Readonly<Record<string, MadeBase>>> {
  const found: Record<string, MadeBase> = {};
  for (const line of linesIn(await store.list(records.bases(release)))) {
    const newest = await store.read<MadeBase>(line.at(-1)!);
    if (newest !== null) found[lineIn(line.at(-1)!)] = newest;
  }
  return found;
}

/** Groups names of records by their line, in their order, the newest last. */
function linesIn(names: readonly string[]): readonly (readonly string[])[] {
  const lines = new Map<string, string[]>();
  for (const name of names) {
    const line = lineIn(name);
    const known = lines.get(line);
    if (known) known.push(name);
    else lines.set(line, [name]);
  }
  return [...lines.values()].map((line) => line.toSorted());
}

const lineIn = (name: string): string => name.split('/').slice(1, -1).join('/');
const digestIn = (name: string): Digest => `sha256:${name.slice(-64)}`;

async function confirmations(store: Reading, wheels: ReadonlySet<Digest>): Promise<Rebuilds['confirmed']> {
  const found: Record<Digest, BuiltFrom[]> = {};
  for (const name of wheels.size === 0 ? [] : await store.list(records.confirmed())) {
    const [, , hex = '', what = ''] = name.split('/');
    const wheel: Digest = `sha256:${hex}`;
    const build = confirmedIn(what);
    if (wheels.has(wheel) && build !== null) (found[wheel] ??= []).push(build);
  }
  return found;
}
