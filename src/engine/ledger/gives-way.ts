import type { Digest } from '../../model/digest.js';
import type { RunId } from '../../model/ids.js';

/** A plan whose runs published bytes under a name in a registry of this home, and its first such run. The control key
 * signs it, which it does not for a line of the ledger. */
export interface Publisher {
  readonly plan: Digest;
  readonly run: RunId;
  readonly release: { readonly name: string; readonly version: string };
  readonly rehearsal: boolean;
  /** True: the run found the name free and uploaded the bytes. False: they were there. */
  readonly put: boolean;
}

/** Returns the rehearsal whose bytes give way to those of `mine`: another plan of the same release uploaded them. Null if
 * they stay: a live run or a run of the same plan published them too, or no rehearsal uploaded them. */
export function givesWay(
  publishers: readonly Publisher[],
  mine: Pick<Publisher, 'plan' | 'release' | 'rehearsal'>,
): Publisher | null {
  const { name, version } = mine.release;
  if (!mine.rehearsal || publishers.some(({ rehearsal, plan }) => !rehearsal || plan === mine.plan)) return null;
  return publishers.find(({ put, release }) => put && release.name === name && release.version === version) ?? null;
}
