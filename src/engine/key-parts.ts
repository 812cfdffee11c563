import type { StepId } from '../model/ids.js';
import { KINDS, type KindName } from '../model/kinds.js';
import type { BundleFile, Plan, Step, StepOf } from '../model/plan.js';
import type { Result } from '../model/result.js';
import type { KeyParts } from './step-key.js';

/** What earlier steps of a run left for one, as far as it can change what that makes. */
export interface Given {
  /** In the order of the step's edges: needs, then those it wants that have a result. */
  readonly inputs: readonly Result[];
  /** Digest that `prove` pinned for its queue. */
  readonly toolchain: string | null;
  readonly epoch: string | null;
}

/** Proofs order steps but make no bytes; a toolchain counts through its pin. */
const isProof = (result: Result): boolean => KINDS[result.kind].stage === 'prove';

/** Everything that the key of a step is taken over. */
export const keyParts = (plan: Plan, step: StepOf<KindName>, { inputs, toolchain, epoch }: Given): KeyParts => ({
  kind: step.kind,
  epoch: KINDS[step.kind].epoch,
  params: step.params,
  inputs: inputs.filter((result) => !isProof(result)),
  files: namedFiles(plan.bundle, step.files),
  toolchain,
  sourceEpoch: epoch,
});

/** Files of the bundle that a step names, by exact path or by folder; `''` is all of them. */
export function namedFiles(bundle: readonly BundleFile[], prefixes: readonly string[]): readonly BundleFile[] {
  const under = (path: string, prefix: string): boolean =>
    prefix === '' || path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
  return bundle.filter(({ path }) => prefixes.some((prefix) => under(path, prefix)));
}

/** The source whose time is the time of a step: a release has one, and what does not stand on it has no such time, since whether
 * the source is there already would be chance. Null where it has none. */
export function sourceUnder(plan: Plan, step: Pick<Step, 'needs' | 'wants'>): StepId | null {
  const source = plan.steps.find(({ kind }) => kind === 'fetchSource');
  return source && standsOn(plan, step, source.id) ? source.id : null;
}

export function epochOf(source: Result | null): string | null {
  const epoch = source?.facts['epoch'];
  return epoch === undefined || epoch === null ? null : String(epoch);
}

/** Whether a step waits for another to succeed, directly or through others. */
function standsOn(plan: Plan, step: Pick<Step, 'needs' | 'wants'>, id: string): boolean {
  const byId = new Map(plan.steps.map((one) => [one.id, one]));
  const seen = new Set([...step.needs, ...step.wants]);
  for (const next of seen) {
    if (next === id) return true;
    for (const more of [...(byId.get(next)?.needs ?? []), ...(byId.get(next)?.wants ?? [])]) seen.add(more);
  }
  return false;
}
