import { readEntry, readGone } from '../../engine/index/read-record.js';
import { listedOf, type Listed } from '../../engine/index/listed.js';
import { isRollup, readRollup } from '../../engine/index/rollup.js';
import type { OurIndex, OurWheel } from '../../importers/index.js';
import type { Finding } from '../../model/finding.js';
import { type Gone, type IndexEntry, indexPaths } from '../../model/python/index-entry.js';
import type { IndexPlace } from './ports.js';
import { readRecords } from './read-records.js';

/** Returns the wheels that the index of a platform lists: by its roll-up, or by its records if the roll-up is absent or damaged. */
export async function readListed(place: IndexPlace, platform: string): Promise<OurIndex> {
  const path = indexPaths.rollup(platform);
  const text = (await place.read(path))?.text ?? null;
  if (text !== null && isRollup(text)) return { wheels: [...readRollup(text).values()].map(wheelOf), findings: [] };
  const entries = await readRecords<IndexEntry>(place, await place.list(indexPaths.entries(platform)), readEntry);
  const gone = await readRecords<Gone>(place, await place.list(indexPaths.gone(platform)), readGone);
  return {
    wheels: listedOf(entries.found, gone.found).map(wheelOf),
    findings: [...(text === null ? [] : [damaged(path)]), ...entries.findings, ...gone.findings],
  };
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
