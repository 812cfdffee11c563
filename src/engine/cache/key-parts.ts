import { grouped } from '../../model/grouped.js';
import type { StepId } from '../../model/ids.js';
import type { JsonObject } from '../../model/json.js';
import { KINDS, type KindName, rowOf, cacheOf } from '../../model/kinds.js';
import { namedFiles } from '../../model/named-files.js';
import type { Plan, Step, StepOf } from '../../model/plan.js';
import type { Result } from '../../model/result.js';
import { mainSourceStep, ownSourcesOf, stepsOf } from '../../model/sources.js';
import type { KeyParts } from './step-key.js';
import { digestOf, type Digest, type Hash } from '../../model/digest.js';

/** Results of earlier steps of a run that enter a step's key. */
export interface EarlierResults {
  /** In the order of the edges: `needs`, then `wants` with a result. */
  readonly inputs: readonly Result[];
  readonly toolchain: KeyParts['toolchain'];
  readonly epoch: string | null;
}

/** Proofs order steps but make no bytes; a toolchain counts through its pin. */
const isProof = (result: Result): boolean => rowOf(result.kind)?.stage === 'prove';

/** Parameters of any kind that change no result. */
const IDLE = ['retryFailedMs'];

/** Returns parameters without some. */
export const without = (params: object, some: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(params as JsonObject).filter(([key]) => !some.includes(key)));

/** Returns everything that enters the key of a step. */
export const keyParts = (
  plan: Plan,
  step: StepOf<KindName>,
  { inputs, toolchain, epoch }: EarlierResults,
): KeyParts => ({
  kind: step.kind,
  epoch: KINDS[step.kind].epoch,
  ...(step.epoch !== undefined && { raised: step.epoch }),
  params: without(step.params, IDLE),
  inputs: inputs.filter((result) => !isProof(result)),
  files: namedFiles(plan.bundle, step.files),
  toolchain,
  sourceEpoch: epoch,
});

/** Returns the sources whose newest time is SOURCE_DATE_EPOCH of a step: its own, else the main source, else all whose
 * products it uses. Empty if the step depends on no source: its key must not vary with the progress of one. */
export function sourcesUnder(plan: Plan, step: Pick<Step, 'id' | 'source'>): readonly StepId[] {
  if (step.source !== undefined) return [step.source];
  const main = mainSourceStep(plan);
  if (stepsOf(plan).has(main) && thoseOn(plan, main).has(step.id)) return [main];
  const others = ownSourcesOf(plan);
  const used = others.length === 0 ? new Set() : usedBy(plan, step.id);
  return others.map((one) => one.step).filter((id) => used.has(id));
}

/** Returns the variant that a wheel may take over. Its result is an input wherever it has one. */
export const sameAs = ({ kind, params }: StepOf<KindName>): StepId | null =>
  kind === 'buildWheel' && 'sameAs' in params ? (params.sameAs ?? null) : null;

/** Returns the newest time of sources, in seconds since 1970. Null without a time. */
export function epochOf(sources: readonly (Result | null)[]): string | null {
  const epochs = sources.map((source) => source?.facts['epoch'] ?? null).filter((epoch) => epoch !== null);
  return epochs.length === 0 ? null : String(epochs.reduce((a, b) => (Number(b) > Number(a) ? b : a)));
}

/** Returns the steps that a step needs, directly or through others. A step that a seal waited for is not among them. */
function usedBy(plan: Plan, step: StepId): ReadonlySet<StepId> {
  const steps = stepsOf(plan);
  const all = new Set(steps.get(step)?.needs);
  for (const id of all) for (const need of steps.get(id)?.needs ?? []) all.add(need);
  return all;
}

/** Caches the steps that depend on the source, directly or through others. */
const onSource = new WeakMap<Plan, ReadonlySet<StepId>>();

function thoseOn(plan: Plan, source: StepId): ReadonlySet<StepId> {
  const found = onSource.get(plan);
  if (found) return found;
  const edges = plan.steps.flatMap(({ id, needs, wants }) => [...needs, ...wants].map((on) => ({ on, user: id })));
  const users = grouped(edges, ({ on }) => on);
  const all = new Set(users.get(source)?.map(({ user }) => user));
  for (const step of all) for (const { user } of users.get(step) ?? []) all.add(user);
  onSource.set(plan, all);
  return all;
}

/** Digest of a plan apart from its label. Null if a step asks the world or acts on it: such a plan always has something
 * to do. */
export function samenessOf(plan: Plan, hash: Hash): Digest | null {
  const isDecided = plan.steps.every((step) => cacheOf(step) === 'pure' || KINDS[step.kind].idle === 'always');
  return isDecided ? digestOf({ ...plan, release: { name: plan.release.name } }, hash) : null;
}

/** Parameters that change no build. `sameAs` decides only whether there is one. */
const FOR_NO_TRY = ['accept', 'again', 'commit', 'everywhere', 'sameAs'];
const NOTHING = { inputs: [], toolchain: null, epoch: null };

/** Returns the digest of what a plan says about a build and about what it needs: source, recipe, Python, base, epochs. Plans of
 * different days give the same build the same key, so that its failure is remembered. Proofs are no part of it. */
export function tryKey(plan: Plan, step: StepOf<KindName>, hash: Hash): Digest {
  const steps = stepsOf(plan);
  const { kind, epoch, raised = 0, params } = keyParts(plan, step, NOTHING);
  const from = step.needs
    .map((id) => ({ id, step: steps.get(id) }))
    .filter((need) => need.step === undefined || KINDS[need.step.kind].stage !== 'prove')
    .map(({ id, step: needed }) => ({ id, params: needed?.params ?? null, epoch: needed?.epoch ?? 0 }));
  return digestOf({ kind, epoch, raised, recipe: without(params, FOR_NO_TRY), from }, hash);
}
