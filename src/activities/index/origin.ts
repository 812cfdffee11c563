import type { ArtifactKind } from '../../model/artifact.js';
import type { Digest } from '../../model/digest.js';
import type { StepId } from '../../model/ids.js';
import type { IndexEntry } from '../../model/python/index-entry.js';
import type { Result } from '../../model/result.js';
import { readRounds } from '../../model/rounds.js';
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
