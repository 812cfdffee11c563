import type { IndexedWheel } from '../../engine/index/prune/judge.js';
import { listedOf } from '../../engine/index/listed.js';
import { isFinding, readEntry, readGone } from '../../engine/index/read-record.js';
import type { Finding } from '../../model/finding.js';
import { indexPaths, type Gone, type IndexEntry } from '../../model/python/index-entry.js';
import type { IndexPlace } from './ports.js';

/** Records that are read at once. */
const AT_ONCE = 64;

/** All wheels of one platform that no record removed, and marks of files that are to be removed. */
export interface ReadIndex {
  readonly wheels: readonly IndexedWheel[];
  /** Times of the marks, as `dueStamp` writes them. */
  readonly due: readonly string[];
}

/** Reads the records of one platform. A damaged record lists nothing, and its wheel is left alone. */
export async function readIndex(place: IndexPlace, platform: string): Promise<ReadIndex> {
  const [entries, gone, files, due] = await Promise.all([
    records<IndexEntry>(place, indexPaths.entries(platform), readEntry),
    records<Gone>(place, indexPaths.gone(platform), readGone),
    place.list(indexPaths.files(platform)),
    place.list(indexPaths.due(platform)),
  ]);
  const there = new Set(files.map((path) => path.split('/').at(-1)!));
  return {
    wheels: listedOf(entries, gone).map((wheel) => ({ platform, wheel, isThere: there.has(wheel.file) })),
    due: due.map((path) => path.split('/')[2] ?? '').sort(),
  };
}

async function records<T extends object>(
  place: IndexPlace,
  folder: string,
  read: (path: string, text: string) => T | Finding,
): Promise<readonly T[]> {
  const paths = await place.list(folder);
  const found: T[] = [];
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    const some = paths.slice(at, at + AT_ONCE);
    const texts = await Promise.all(some.map((path) => place.read(path)));
    for (const [no, seen] of texts.entries()) {
      const one = seen === null ? null : read(some[no]!, seen.text);
      if (one !== null && !isFinding(one)) found.push(one);
    }
  }
  return found;
}
