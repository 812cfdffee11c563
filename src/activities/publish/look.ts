import { setTimeout as pause } from 'node:timers/promises';
import { judge, type LedgerVerdict } from '../../engine/ledger/verdict.js';
import type { Digest } from '../../model/digest.js';
import { fail, type Problem } from '../../model/failure.js';
import { notVisible, otherBytes } from './errors.js';
import type { StepOf } from '../../model/plan.js';
import type { Item, PublishTarget } from './target.js';

export interface Looked {
  readonly item: Item;
  readonly verdict: LedgerVerdict;
  readonly url: string;
}

/** Meaning of other bytes under a name: a conflict that stops all publishing, or those of the first publisher, which stay. */
export type OtherBytes = 'conflict' | 'stay';

export const otherBytesAre = ({ params }: Pick<StepOf<'publishArtifacts'>, 'params'>): OtherBytes =>
  params.when === 'built' ? 'stay' : 'conflict';

/** Looks up every item before anything is sent. Throws OTHER_BYTES for all conflicts.
 * @param saw called for each item that exists */
export async function look(
  target: PublishTarget,
  name: string,
  items: readonly Item[],
  others: OtherBytes = 'conflict',
  saw: (item: Item, digest: Digest) => Promise<void> = async () => undefined,
): Promise<readonly Looked[]> {
  const looked: Looked[] = [];
  const conflicts: Problem[] = [];
  for (const item of items) {
    const seen = await target.observe(item);
    const verdict = judge(item.artifact.digest, seen);
    if (seen.state === 'present') await saw(item, seen.digest);
    if (verdict === 'other' && seen.state === 'present' && others === 'conflict')
      conflicts.push(otherBytes(name, item.name, seen.digest, item.artifact.digest));
    looked.push({ item, verdict, url: (seen.state === 'present' ? seen.url : undefined) ?? item.url });
  }
  if (conflicts.length > 0) throw fail(conflicts);
  return looked;
}

/** Waits between reads after an upload: indexes behind caches show a file late. */
export const READ_BACK_WAITS_MS: readonly number[] = [200, 1_000, 3_000, 10_000];

export interface Reading {
  readonly signal: AbortSignal;
  readonly waitsMs: readonly number[];
  readonly others?: OtherBytes;
}

/** Polls the target until it shows all uploaded files. An accepted upload may not be visible yet; a failed one may have
 * arrived.
 * @param asked error of the upload or null; thrown only if a file is absent */
export async function readBack(
  target: PublishTarget,
  name: string,
  items: readonly Item[],
  asked: unknown,
  { signal, waitsMs, others }: Reading,
): Promise<readonly Looked[]> {
  for (const waitMs of [...waitsMs, 0]) {
    const looked = await look(target, name, items, others);
    const absent = looked.find(({ verdict }) => verdict !== 'same' && verdict !== 'other');
    if (!absent) return looked;
    if (asked !== null) throw asked;
    if (waitMs === 0) throw fail(notVisible(name, absent.item.name, 'it is still absent'));
    await pause(waitMs, undefined, { signal });
  }
  return [];
}
