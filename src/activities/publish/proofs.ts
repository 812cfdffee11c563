import { SlipwayFailure, type Problem } from '../../model/failure.js';
import type { Target } from '../../model/params.js';
import { freeMiB } from '../prove-queue/measure.js';
import type { Work } from '../work.js';
import { judgeRoom, judgeSizes } from './sizes.js';
import type { Item, PublishTarget } from './target.js';

/** What was proved at the start, once more and with what goes there: days may lie between, and a gate. */
export async function proofs(
  { plan }: Pick<Work, 'plan'>,
  target: PublishTarget,
  to: Target,
  items: readonly Item[],
): Promise<readonly Problem[]> {
  const { name, version } = plan.release;
  const refused = await problemsIn(() => target.prove(name, version, [], items));
  return [...refused, ...judgeSizes(to, items)];
}

/** Of targets that `slipway up` runs, the disk is that of this worker's home. */
export async function roomFor(
  { folder }: Pick<Work, 'folder'>,
  absent: readonly { readonly to: Target; readonly item: Item }[],
): Promise<readonly Problem[]> {
  const here = absent.filter(({ to }) => to.address.startsWith('service:')).map(({ item }) => item);
  return here.length === 0 ? [] : judgeRoom(here, await freeMiB(folder));
}

/** Coded failures are gathered; an abort and what nobody expected go on. */
export async function problemsIn(asked: () => Promise<unknown>): Promise<readonly Problem[]> {
  try {
    await asked();
    return [];
  } catch (error) {
    if (error instanceof SlipwayFailure) return error.problems;
    throw error;
  }
}
