import type { ArtifactKind } from '../../model/artifact.js';
import type { Digest } from '../../model/digest.js';
import type { StepId } from '../../model/ids.js';
import { type Confirmed, confirmedAs } from '../../model/made-base.js';
import type { IndexEntry } from '../../model/python/index-entry.js';
import type { Result } from '../../model/result.js';
import { readRounds } from '../../model/rounds.js';
import { records } from '../../model/run-folder.js';
import type { Work } from '../work.js';

/** Returns what a wheel was built from: the artifacts of the steps that its build needed. */
export async function originOf(
  { plan, run, store }: Pick<Work, 'plan' | 'run' | 'store'>,
  build: StepId,
): Promise<IndexEntry['from']> {
  const { needs = [], wants = [] } = plan.steps.find(({ id }) => id === build) ?? {};
  const rounds = await readRounds(store, run);
  const results = await Promise.all([...needs, ...wants].map((id) => store.read<Result>(rounds.result(id))));
  const artifacts = results.flatMap((result) => result?.artifacts ?? []);
  const first = (...kinds: readonly ArtifactKind[]): Digest | null =>
    artifacts.find(({ kind }) => kinds.includes(kind))?.digest ?? null;
  return { source: first('sdist', 'source', 'tree'), lock: first('lock'), base: first('image') };
}

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
