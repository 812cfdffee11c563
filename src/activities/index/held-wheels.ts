import type { HeldWheel } from '../../engine/index/check.js';
import { readEntry } from '../../engine/index/read-record.js';
import type { Finding } from '../../model/finding.js';
import { MOST_RECORD_BYTES, SIDECAR, STATEMENT, type Gone, type IndexEntry } from '../../model/python/index-entry.js';
import { inBatches } from './in-batches.js';
import type { CheckedPlace } from './ports.js';
import { textAt } from './read-records.js';

interface PlatformFiles {
  /** Paths of wheels and of what is beside them. */
  readonly files: readonly string[];
  readonly entries: readonly string[];
  readonly gone: readonly Gone[];
}

/** Reads every wheel of a platform that has a file or an entry, sorted. */
export async function heldWheels(
  place: CheckedPlace,
  platform: string,
  { files, entries, gone }: PlatformFiles,
): Promise<readonly HeldWheel[]> {
  const removed = new Set(gone.flatMap(({ state, file }) => (state === 'removed' ? [file] : [])));
  const digests = await digestsOf(place, files);
  const records = await recordsOf(place, entries);
  return [...new Set([...digests.keys(), ...records.keys()])].sort().map((key) => {
    const [project = '', file = ''] = key.split('/');
    const found = digests.get(key) ?? { digest: null, sidecar: null, statement: null };
    return { platform, project, file, ...found, entry: records.get(key) ?? null, isRemoved: removed.has(file) };
  });
}

/** `PROJECT/FILE` of a path. */
const keyOf = (path: string): string => path.split('/').slice(2).join('/');

/** Digests of wheels and of what is beside them, by `PROJECT/FILE`. */
async function digestsOf(
  place: CheckedPlace,
  files: readonly string[],
): Promise<ReadonlyMap<string, Pick<HeldWheel, 'digest' | 'sidecar' | 'statement'>>> {
  const there = new Set(files);
  const digestAt = (path: string) => (there.has(path) ? place.digest(path) : null);
  const wheels = files.filter((path) => path.endsWith('.whl') && path.split('/').length === 4);
  const held = await inBatches(wheels, async (path) => {
    const [digest, sidecar, statement] = await Promise.all(['', SIDECAR, STATEMENT].map((end) => digestAt(path + end)));
    return [keyOf(path), { digest: digest ?? null, sidecar: sidecar ?? null, statement: statement ?? null }] as const;
  });
  return new Map(held);
}

async function recordsOf(
  place: CheckedPlace,
  paths: readonly string[],
): Promise<ReadonlyMap<string, IndexEntry | Finding>> {
  const read = await inBatches(paths, async (path) => {
    const text = await textAt(place, path, MOST_RECORD_BYTES);
    return text === null ? [] : [[keyOf(path).replace(/\.json$/, ''), readEntry(path, text)] as const];
  });
  return new Map(read.flat());
}
