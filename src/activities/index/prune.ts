import { isFinding, readEntry, readGone } from '../../engine/index/read-record.js';
import { projectOf } from '../../engine/index/listed.js';
import { canonical } from '../../model/json.js';
import type { Finding } from '../../model/finding.js';
import type { PruneOrder, PrunedFile } from '../../model/index-prune.js';
import {
  dueStamp,
  indexPaths,
  type Gone,
  MOST_RECORD_BYTES,
  SIDECAR,
  STATEMENT,
  type IndexEntry,
} from '../../model/python/index-entry.js';
import { removedOther } from './errors.js';
import { inBatches } from './in-batches.js';
import type { IndexPlace, CheckedPlace } from './ports.js';
import type { HeldWheel } from '../../engine/index/check.js';
import { textAt } from './read-records.js';

export interface Marked {
  /** `PLATFORM/PROJECT` of all wheels that the order removes. */
  readonly names: readonly string[];
  readonly findings: readonly Finding[];
}

/** Writes the records that take the wheels of an order from their pages. The bytes stay until the grace is over. An
 * order can be carried out again: a record that exists stays. */
export async function markRemoved(place: IndexPlace, order: PruneOrder): Promise<Marked> {
  const due = dueStamp(Date.parse(order.at) + order.graceMs);
  const findings = (await inBatches(order.remove, (one) => markOne(place, order, one, due))).flat();
  const names = order.remove.map(({ platform, file }) => `${platform}/${projectOf(file)}`);
  return { names: [...new Set(names)].sort(), findings };
}

/** Writes the mark first: a record without a mark would leave its bytes for ever. */
async function markOne(
  place: IndexPlace,
  { by, because, review }: PruneOrder,
  { platform, file, digest }: PrunedFile,
  due: string,
): Promise<readonly Finding[]> {
  const project = projectOf(file);
  const path = indexPaths.entry(platform, project, file);
  const seen = await place.read(path);
  const entry = seen === null ? null : readEntry(path, seen.text);
  if (entry !== null && !isFinding(entry) && entry.digest !== digest) return [removedOther(path, digest)];
  await place.create(indexPaths.dueFile(platform, due, project, file), '');
  const gone: Gone = { slipway: 1, file, state: 'removed', by, because: because ?? 'pruned', review, due };
  await recordRemoved(place, indexPaths.goneFile(platform, project, file), gone);
  return [];
}

/** Creates the record, or replaces that of a yank and keeps its reason. A damaged record stays: drawing the page reports it. */
async function recordRemoved(place: IndexPlace, path: string, gone: Gone): Promise<void> {
  if (await place.create(path, canonical(gone))) return;
  const seen = await place.read(path);
  const known = seen === null ? null : readGone(path, seen.text);
  if (known !== null && (isFinding(known) || known.state === 'removed')) return;
  const yanked = known === null ? {} : { yanked: { by: known.by, because: known.because } };
  if (!(await place.swap(path, canonical({ ...gone, ...yanked }), seen))) await recordRemoved(place, path, gone);
}

/** A mark whose time has come. */
export interface Due {
  readonly mark: string;
  readonly due: string;
  readonly project: string;
  readonly file: string;
}

/** Returns the marks of a platform whose time has come. */
export const dueFiles = async (place: IndexPlace, platform: string, nowMs: number): Promise<readonly Due[]> =>
  dueIn(await place.list(indexPaths.due(platform)), platform, nowMs);

/** @param marks paths below `due/` */
export function dueIn(marks: readonly string[], platform: string, nowMs: number): readonly Due[] {
  const now = dueStamp(nowMs);
  const folder = indexPaths.due(platform);
  return marks.flatMap((mark) => {
    const [due = '', project = '', file = '', ...rest] = mark.slice(folder.length).split('/');
    const isOurs = rest.length === 0 && file.endsWith('.whl') && project === projectOf(file);
    return isOurs && due <= now ? [{ mark, due, project, file }] : [];
  });
}

/** Removes the bytes of files whose grace is over. Their pages must be drawn before. A wheel that was published again
 * has no record of its removal any more, and stays. */
export async function removeDue(place: IndexPlace, platform: string, all: readonly Due[]): Promise<void> {
  for (const { mark, due, project, file } of all) {
    const path = indexPaths.goneFile(platform, project, file);
    const seen = await place.read(path);
    const gone = seen === null ? null : readGone(path, seen.text);
    const isRemoved = gone !== null && !isFinding(gone) && gone.state === 'removed' && gone.due === due;
    if (isRemoved) await place.remove(indexPaths.file(platform, project, file));
    await place.remove(mark);
  }
}

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
