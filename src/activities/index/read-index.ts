import type { IndexedWheel } from '../../engine/index/prune/judge.js';
import { listedOf } from '../../engine/index/listed.js';
import { readEntry, readGone } from '../../engine/index/read-record.js';
import type { IndexRefresh } from '../../model/index-refresh.js';
import { indexPaths, type Gone, type IndexEntry } from '../../model/python/index-entry.js';
import { refreshesAt } from './draw-pages.js';
import type { IndexPlace } from './ports.js';
import { readRecords } from './read-records.js';

/** All wheels of one platform that no record removed, and marks of files that are to be removed. */
export interface ReadIndex {
  readonly wheels: readonly IndexedWheel[];
  /** Times of the marks, as `dueStamp` writes them. */
  readonly due: readonly string[];
  /** Last runs of the pipelines that publish to it. */
  readonly refreshes: readonly IndexRefresh[];
  /** Path of a damaged record of a last run. Null: none is damaged. */
  readonly damaged: string | null;
}

/** Reads the records of one platform. A damaged record lists nothing, and its wheel is left alone. */
export async function readIndex(place: IndexPlace, platform: string): Promise<ReadIndex> {
  const [entries, gone, files, due, refreshes] = await Promise.all([
    place.list(indexPaths.entries(platform)).then((paths) => readRecords<IndexEntry>(place, paths, readEntry)),
    place.list(indexPaths.gone(platform)).then((paths) => readRecords<Gone>(place, paths, readGone)),
    place.list(indexPaths.files(platform)),
    place.list(indexPaths.due(platform)),
    place.list(indexPaths.refreshes(platform)).then((paths) => refreshesAt(place, paths)),
  ]);
  const there = new Set(files.map((path) => path.split('/').at(-1)!));
  return {
    wheels: listedOf(entries.found, gone.found).map((wheel) => ({ platform, wheel, isThere: there.has(wheel.file) })),
    due: due.map((path) => path.split('/')[2] ?? '').sort(),
    refreshes: refreshes.found,
    damaged: refreshes.findings[0]?.subject ?? null,
  };
}
