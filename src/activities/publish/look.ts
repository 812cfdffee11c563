import { setTimeout as pause } from 'node:timers/promises';
import { judge, type LedgerVerdict } from '../../engine/ledger/verdict.js';
import type { Digest } from '../../model/digest.js';
import { fail, type Problem } from '../../model/failure.js';
import { notVisible, otherBytes } from './errors.js';
import type { Item, PublishTarget } from './target.js';

export interface Looked {
  readonly item: Item;
  readonly verdict: LedgerVerdict;
  readonly url: string;
}

/** Asks for every item before anything is sent: one conflict and nothing moves.
 * @param saw told of everything that is there */
export async function look(
  target: PublishTarget,
  name: string,
  items: readonly Item[],
  saw: (item: Item, digest: Digest) => Promise<void> = async () => undefined,
): Promise<readonly Looked[]> {
  const looked: Looked[] = [];
  const conflicts: Problem[] = [];
  for (const item of items) {
    const seen = await target.observe(item);
    const verdict = judge(item.artifact.digest, seen);
    if (seen.state === 'present') await saw(item, seen.digest);
    if (verdict === 'other' && seen.state === 'present')
      conflicts.push(otherBytes(name, item.name, seen.digest, item.artifact.digest));
    looked.push({ item, verdict, url: (seen.state === 'present' ? seen.url : undefined) ?? item.url });
  }
  if (conflicts.length > 0) throw fail(conflicts);
  return looked;
}

/** Waits between looks at something that was just taken: indexes behind caches show it a little later. */
export const READ_BACK_WAITS_MS: readonly number[] = [200, 1_000, 3_000, 10_000];

/** Reads back what was uploaded. An accepted upload is not yet a published file; a failed one may have arrived.
 * @param asked how the upload ended: its failure is thrown only when the files are really not there */
export async function readBack(
  target: PublishTarget,
  name: string,
  items: readonly Item[],
  asked: unknown,
  { signal, waitsMs }: { readonly signal: AbortSignal; readonly waitsMs: readonly number[] },
): Promise<readonly Looked[]> {
  for (const waitMs of [...waitsMs, 0]) {
    const looked = await look(target, name, items);
    const absent = looked.find(({ verdict }) => verdict !== 'same');
    if (!absent) return looked;
    if (asked !== null) throw asked;
    if (waitMs === 0) throw fail(notVisible(name, absent.item.name, 'it is still absent'));
    await pause(waitMs, undefined, { signal });
  }
  return [];
}
