import type { Store } from '../../activities/ports.js';
import { readLogs } from '../../adapters/access-log/read-logs.js';
import type { Gathered } from '../../adapters/facts/index.js';
import { sha256 } from '../../adapters/sha256.js';
import type { IndexedWheel } from '../../engine/index/prune/judge.js';
import { mergedUse, readUse } from '../../engine/index/prune/use.js';
import type { PrunePlatform } from '../../engine/index/prune/wants.js';
import { digestOf, isDigest } from '../../model/digest.js';
import type { PruneReview, PruneRules } from '../../model/index-prune.js';
import { useKey, type IndexUse } from '../../model/index-use.js';
import { canonical } from '../../model/json.js';
import { records, type IndexOfPipeline } from '../../model/run-folder.js';
import { readText } from '../../activities/read-text.js';

/** Input of the judges of an index and of a folder. */
export interface Pruning {
  readonly gathered: Gathered;
  /** The target under `prune`, whose rules count. */
  readonly index: IndexOfPipeline;
  readonly rules: PruneRules;
  readonly platforms: Readonly<Record<string, PrunePlatform>>;
  /** Projects that entries of the file build besides lists. */
  readonly own: ReadonlySet<string>;
  /** The access log that is named. */
  readonly log: string | null;
  /** Signs records, and refuses unsigned ones. */
  readonly store: Store;
  /** Whether this home has the private control key. */
  readonly signs: boolean;
  /** Stores an order under the next number, signed. Returns the name of its record. */
  keep(name: (no?: number) => string, order: object): Promise<string>;
}

export interface AccessLog {
  readonly path: string;
  /** Whether it covers the time until now. */
  readonly isLive: boolean;
}

/** Reads the access logs, and remembers what they say: logs are rotated away. */
export async function useOf(
  { store, index, signs }: Pruning,
  log: AccessLog | null,
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
