import type { IndexPruner } from '../../activities/index/ports.js';
import type { Store } from '../../activities/ports.js';
import { readLogs } from '../../adapters/access-log/read-logs.js';
import { sha256 } from '../../adapters/facts/index.js';
import type { IndexedWheel } from '../../engine/index/prune/judge.js';
import { mergedUse, readUse } from '../../engine/index/prune/use.js';
import { digestOf, isDigest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import type { Finding } from '../../model/finding.js';
import type { PruneOrder, PruneReview } from '../../model/index-prune.js';
import { useKey, type IndexUse } from '../../model/index-use.js';
import { canonical } from '../../model/json.js';
import { records, type IndexOfPipeline } from '../../model/run-folder.js';
import { readText } from '../../activities/read-text.js';
import { orderUnsigned } from './prune-errors.js';

/** Records of the prunes of one index. */
export interface Remembering {
  readonly index: IndexOfPipeline;
  /** Signs records, and refuses unsigned ones. */
  readonly store: Store;
  /** Whether this home has the private control key. */
  readonly signs: boolean;
}

export interface AccessLog {
  readonly path: string;
  /** Whether it covers the time until now. */
  readonly isLive: boolean;
}

export interface Sending {
  readonly writer: () => Promise<{ readonly writer: IndexPruner; close(): Promise<void> }>;
  /** Resolves `service:NAME`. */
  readonly address: (text: string) => Promise<string>;
}

/** Reads the access logs, and remembers what they say: logs are rotated away. */
export async function useOf(
  { store, index, signs, log }: Remembering & { readonly log: AccessLog | null },
  wheels: readonly IndexedWheel[],
  nowMs: number,
): Promise<IndexUse> {
  const known = new Set(wheels.map(({ platform, wheel }) => useKey(platform, wheel.file)));
  const names = await store.list(records.indexUse(index));
  const before = mergedUse(await Promise.all(names.map(async (name) => readUse(await store.read(name)))));
  if (log === null) return before;
  const said = await readLogs(log.path, { isKnown: (key) => known.has(key), nowMs, isLive: log.isLive });
  const use = mergedUse([before, ...said]);
  const isNew = canonical(use) !== canonical(before);
  if (isNew && signs) await store.create(records.indexUse(index, digestOf(use, sha256)), use);
  return use;
}

/** Returns a review by its digest. Null if the store has none. */
export async function reviewIn(store: Store, digest: string): Promise<PruneReview | null> {
  if (!isDigest(digest) || !(await store.has(digest))) return null;
  try {
    const found = JSON.parse(await readText(store, digest)) as Partial<PruneReview> | null;
    return found?.kind === 'prune review' ? (found as PruneReview) : null;
  } catch {
    return null;
  }
}

/** Stores the order under the next number, signed by the home's control key, and has the index's writer carry it out. */
export async function send(
  order: PruneOrder,
  { index, store, signs, here }: Remembering & { readonly here: Sending },
): Promise<{ readonly record: string; readonly findings: readonly Finding[] }> {
  if (!signs) throw fail(orderUnsigned());
  const address = await here.address(order.target.address);
  const { writer, close } = await here.writer();
  try {
    const folder = records.prunes(index);
    let no = Number((await store.list(folder)).at(-1)?.slice(folder.length) ?? 0) + 1;
    while (!(await store.create(records.prunes(index, no), order)).created) no += 1;
    const record = records.prunes(index, no);
    return { record, ...(await writer.prune(address, { prune: record })) };
  } finally {
    await close();
  }
}
