import { provedRecord } from '../../engine/ledger/entry.js';
import { SlipwayFailure, type Problem } from '../../model/failure.js';
import type { Target } from '../../model/target.js';
import { freeMiB } from '../prove-queue/measure.js';
import type { Work } from '../work.js';
import type { PublishPorts } from './ports.js';
import { judgeRoom, judgeSizes } from './sizes.js';
import type { Item, PublishTarget } from './target.js';

/** A login costs a server more than a lookup, and a release may have hundreds of steps for one target. */
const PROOF_HOLDS_MS = 10 * 60_000;

/** Repeats the proof of the start with the actual items, since days may have passed at a gate. All steps of the run
 * share a proof for ten minutes. */
export async function proofs(
  work: Pick<Work, 'plan' | 'run' | 'store' | 'step'>,
  { proofHoldsMs = PROOF_HOLDS_MS }: Pick<PublishPorts, 'proofHoldsMs'>,
  target: PublishTarget,
  to: Target,
  items: readonly Item[],
): Promise<readonly Problem[]> {
  const record = provedRecord(work.run, to.name, Math.floor(Date.now() / Math.max(1, proofHoldsMs)));
  const sizes = judgeSizes(to, items);
  if ((await work.store.read(record)) !== null) return sizes;
  const { name, version } = work.plan.release;
  const refused = await problemsIn(() => target.prove(name, version, [], items));
  if (refused.length === 0) await work.store.create(record, { step: work.step.id });
  return [...refused, ...sizes];
}

/** Checks the disk of this worker's home, which targets of `slipway up` use. */
export async function roomFor(
  { folder }: Pick<Work, 'folder'>,
  absent: readonly { readonly to: Target; readonly item: Item }[],
): Promise<readonly Problem[]> {
  const here = absent.filter(({ to }) => to.address.startsWith('service:')).map(({ item }) => item);
  return here.length === 0 ? [] : judgeRoom(here, await freeMiB(folder));
}

/** Returns the problems of a coded failure. Other errors are thrown on. */
export async function problemsIn(asked: () => Promise<unknown>): Promise<readonly Problem[]> {
  try {
    await asked();
    return [];
  } catch (error) {
    if (error instanceof SlipwayFailure) return error.problems;
    throw error;
  }
}
