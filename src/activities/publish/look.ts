import { setTimeout as pause } from 'node:timers/promises';
import type { Digest } from '../../model/digest.js';
import type { RunId } from '../../model/ids.js';
import { fail, type Problem } from '../../model/failure.js';
import { notVisible, otherBytes } from './errors.js';
import type { StepOf } from '../../model/plan.js';
import type { Item, PublishTarget } from './ports.js';

/** Bytes that an earlier rehearsal uploaded. */
export interface Replaced {
  readonly bytes: Digest;
  readonly run: RunId;
  readonly plan: Digest;
}

export interface Looked {
  readonly item: Item;
  /** `absent` also if what is there gives way. */
  readonly verdict: 'absent' | 'same' | 'other';
  readonly url: string;
  /** Other bytes under the name, which give way to the item. */
  readonly replaces?: Replaced;
}

export const otherBytesAre = ({ params }: Pick<StepOf<'publishArtifacts'>, 'params'>): NonNullable<Looking['others']> =>
  params.when === 'built' ? 'stay' : 'conflict';

export interface Looking {
  /** Other bytes under a name: a conflict that stops all publishing, or those of the first publisher, which stay. */
  readonly others?: 'conflict' | 'stay';
  /** Called for each item that exists. */
  readonly saw?: (item: Item, digest: Digest) => Promise<void>;
  /** Returns what gives way to an item. Null if the other bytes stay. A digest: other bytes that the same plan had before. */
  readonly replacedBy?: (item: Item, bytes: Digest) => Promise<Replaced | Digest | null>;
}

/** Looks up every item before anything is sent. Throws OTHER_BYTES for all conflicts. */
export async function look(
  target: PublishTarget,
  name: string,
  items: readonly Item[],
  { others = 'conflict', saw, replacedBy }: Looking = {},
): Promise<readonly Looked[]> {
  const looked: Looked[] = [];
  const conflicts: Problem[] = [];
  for (const item of items) {
    const seen = await target.observe(item);
    if (seen.state === 'absent') {
      looked.push({ item, verdict: 'absent', url: item.url });
      continue;
    }
    const { digest, url = item.url } = seen;
    await saw?.(item, digest);
    const verdict = digest === item.artifact.digest ? 'same' : 'other';
    if (verdict === 'other' && others === 'conflict') {
      const replaces = (await replacedBy?.(item, digest)) ?? digest;
      if (typeof replaces === 'string') conflicts.push(otherBytes(name, item.name, replaces, item.artifact.digest));
      else looked.push({ item, verdict: 'absent', url: item.url, replaces });
    } else looked.push({ item, verdict, url });
  }
  if (conflicts.length > 0) throw fail(conflicts);
  return looked;
}

/** Waits between reads after an upload: indexes behind caches show a file late. */
export const READ_BACK_WAITS_MS: readonly number[] = [200, 1_000, 3_000, 10_000];

export interface Reading extends Looking {
  readonly signal: AbortSignal;
  readonly waitsMs: readonly number[];
}

/** Polls the target until it shows all uploaded files. An accepted upload may not be visible yet; a failed one may have
 * arrived.
 * @param asked error of the upload or null; thrown only if a file is absent */
export async function readBack(
  target: PublishTarget,
  name: string,
  items: readonly Item[],
  asked: unknown,
  { signal, waitsMs, ...looking }: Reading,
): Promise<readonly Looked[]> {
  for (const waitMs of [...waitsMs, 0]) {
    const looked = await look(target, name, items, looking);
    const absent = looked.find(({ verdict }) => verdict === 'absent');
    if (!absent) return looked;
    if (asked !== null) throw asked;
    if (waitMs === 0) throw fail(notVisible(name, absent.item.name, 'it is still absent'));
    await pause(waitMs, undefined, { signal });
  }
  return [];
}
