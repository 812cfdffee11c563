import type { StepId } from '../../model/ids.js';
import { type Confirmed, confirmedAs } from '../../model/made-base.js';
import type { IndexEntry } from '../../model/python/index-entry.js';
import { records } from '../../model/run-folder.js';
import type { Work } from '../work.js';
import { originOf } from './origin.js';

/** Records that a build from another source, in another base or under a raised epoch gave the bytes of a listed wheel again: it is not due any
 * more. An entry is written once, so this is a record beside it in the store. */
export async function confirm(
  { plan, run, store }: Pick<Work, 'plan' | 'run' | 'store'>,
  entry: IndexEntry,
  build: StepId,
): Promise<void> {
  const { source, base } = await originOf({ plan, run, store }, build);
  const epoch = epochOf(plan, build);
  if (source === entry.from.source && base === entry.from.base && epoch === (entry.epoch ?? 0)) return;
  const made = { source, base, epoch };
  await store.create<Confirmed>(records.confirmed(entry.digest, confirmedAs(made)), { ...made, run });
}

/** Returns the epoch of a build in the release file. 0 without one. */
export const epochOf = ({ steps }: Work['plan'], build: StepId): number =>
  steps.find(({ id }) => id === build)?.epoch ?? 0;
