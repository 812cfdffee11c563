import { readEntry, readGone } from '../../engine/index/read-record.js';
import { listedOf, type Listed } from '../../engine/index/listed.js';
import { isRollup, readRollup } from '../../engine/index/rollup.js';
import type { FormerWheel, OurIndex, OurWheel } from '../../importers/index.js';
import type { Finding } from '../../model/finding.js';
import { type Gone, type IndexEntry, indexPaths } from '../../model/python/index-entry.js';
import type { IndexPlace } from './ports.js';
import { readRecords } from './read-records.js';

/** Returns the wheels that the index of a platform lists: by its roll-up, or by its records if the roll-up is absent or damaged. */
export async function readListed(place: IndexPlace, platform: string): Promise<OurIndex> {
  const path = indexPaths.rollup(platform);
  const text = (await place.read(path))?.text ?? null;
  const rollup = text !== null && isRollup(text) ? readRollup(text) : null;
  const paths = await place.list(indexPaths.entries(platform));
  const unlisted = paths.filter((entry) => !rollup?.has(fileIn(entry)));
  const entries = await readRecords<IndexEntry>(place, unlisted, readEntry);
  const gone = await readRecords<Gone>(place, await place.list(indexPaths.gone(platform)), readGone);
  if (rollup !== null)
    return { wheels: [...rollup.values()].map(wheelOf), ...formerIn(entries.found, gone.found), findings: [] };
  const listed = listedOf(entries.found, gone.found);
  const files = new Set(listed.map(({ file }) => file));
  return {
    wheels: listed.map(wheelOf),
    ...formerIn(
      entries.found.filter(({ file }) => !files.has(file)),
      gone.found,
    ),
    findings: [...(text === null ? [] : [damaged(path)]), ...entries.findings, ...gone.findings],
  };
}

/** `FILE.whl` of `…/FILE.whl.json`. */
const fileIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.json$/, '');

/** @param unlisted entries of wheels that no page has */
function formerIn(unlisted: readonly IndexEntry[], gone: readonly Gone[]): Pick<OurIndex, 'former'> {
  const byHand = new Set(gone.flatMap(({ file, review }) => (review === null ? [file] : [])));
  const former = unlisted.map((entry): FormerWheel => ({
    ...wheelOf(entry),
    ...(byHand.has(entry.file) && { byHand: true }),
  }));
  return former.length === 0 ? {} : { former };
}

const wheelOf = ({ file, digest, requiresPython, uploadTime, from, links, epoch, yanked }: Listed): OurWheel => ({
  ...{ file, digest, requiresPython, uploadTime, from },
  ...(links !== undefined && { links }),
  ...(epoch !== undefined && { epoch }),
  ...(yanked !== undefined && { yanked }),
});

const damaged = (path: string): Finding => ({
  level: 'warning',
  code: 'INDEX_ROLLUP_DAMAGED',
  subject: path,
  why: 'the roll-up is no JSON document of ours, so planning read each entry',
  next: 'Remove the file. The next wheel that is published writes it again.',
});
