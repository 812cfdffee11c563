import { isFinding } from '../../engine/index/read-record.js';
import type { Finding } from '../../model/finding.js';
import { MOST_RECORD_BYTES } from '../../model/python/index-entry.js';
import { inBatches } from './in-batches.js';
import type { IndexPlace } from './ports.js';

export const textAt = async (place: IndexPlace, path: string, mostBytes?: number): Promise<string | null> =>
  (await place.read(path, mostBytes))?.text ?? null;

/** Reads records, and separates the damaged ones. A record that was removed meanwhile is left out. */
export async function readRecords<T extends object>(
  place: IndexPlace,
  paths: readonly string[],
  read: (path: string, text: string) => T | Finding,
  mostBytes = MOST_RECORD_BYTES,
): Promise<{ readonly found: readonly T[]; readonly findings: readonly Finding[] }> {
  const texts = await inBatches(paths, async (path) => ({ path, text: await textAt(place, path, mostBytes) }));
  const all = texts.flatMap(({ path, text }) => (text === null ? [] : [read(path, text)]));
  return { found: all.filter((one): one is T => !isFinding(one)), findings: all.filter((one) => isFinding(one)) };
}
