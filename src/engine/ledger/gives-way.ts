import type { Digest } from '../../model/digest.js';
import type { RunId } from '../../model/ids.js';

/** A plan whose runs published bytes under a name in a registry of this home, and its first such run. The control key
 * signs it, which it does not for a line of the ledger. */
export interface Publisher {
  readonly plan: Digest;
  readonly run: RunId;
  readonly workflowId: string;
  /** True: the run found the name free and uploaded the bytes. False: they were there. */
  readonly put: boolean;
  /** Bytes that the upload of the first run replaced. */
  readonly replaced?: Replaced;
}

/** Bytes that an earlier rehearsal uploaded. */
export interface Replaced {
  readonly bytes: Digest;
  readonly run: RunId;
  readonly plan: Digest;
}

/** Returns the rehearsal whose bytes give way to those of `mine`: another plan of the same release uploaded them. Null if
 * they stay: a run of another workflow id or of the same plan published them too, or no rehearsal uploaded them.
 * @param mine a rehearsal */
export function givesWay(
  publishers: readonly Publisher[],
  mine: Pick<Publisher, 'plan' | 'workflowId'>,
): Publisher | null {
  const isOther = ({ plan, workflowId }: Publisher): boolean => workflowId === mine.workflowId && plan !== mine.plan;
  return publishers.every(isOther) ? (publishers.find(({ put }) => put) ?? null) : null;
}
