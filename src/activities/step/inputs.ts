import { epochOf, sameAs, sourcesUnder } from '../../engine/cache/key-parts.js';
import { pinOf } from '../../engine/cache/step-key.js';
import { fail } from '../../model/failure.js';
import type { StepId } from '../../model/ids.js';
import type { JsonObject } from '../../model/json.js';
import type { Plan, StepOf, Step } from '../../model/plan.js';
import type { KindName } from '../../model/kinds.js';
import type { Result } from '../../model/result.js';
import type { Rounds } from '../../model/rounds.js';
import type { Store } from '../ports.js';
import type { Toolchain } from '../work.js';
import { inputMissing, planMissing, planUnsigned, stepUnknown } from './errors.js';
import { isDigest } from '../../model/digest.js';
import type { PlanSignatures } from '../plan/ports.js';
import { readText } from '../read-text.js';
import type { StepContext } from './ports.js';

export interface Inputs {
  readonly inputs: readonly Result[];
  readonly toolchain: Toolchain | null;
  readonly epoch: string | null;
}

/** Returns the result of a step that counts in the run. Null if it has none. */
export type ResultOf = (step: StepId) => Promise<Result | null>;

export const resultsOf =
  (store: Store, rounds: Rounds): ResultOf =>
  (step) =>
    store.read<Result>(rounds.result(step));

/** Reads the results that a step uses. A wanted step without a result was skipped or dropped. Throws INPUT_MISSING. */
export async function readInputs(resultOf: ResultOf, plan: Plan, step: StepOf<KindName>): Promise<Inputs> {
  // The source and the queue's proof are often among `needs` or `wants` too; each result is read once.
  const reads = new Map<StepId, Promise<Result | null>>();
  const found = (id: StepId): Promise<Result | null> => {
    const read = reads.get(id) ?? resultOf(id);
    reads.set(id, read);
    return read;
  };
  const present = (result: Result | null, id: StepId): Result => {
    if (result === null) throw fail(inputMissing(step.id, id));
    return result;
  };
  const same = sameAs(step);
  const tree = step.kind === 'tidyUp' && step.source !== undefined ? step.source : null;
  const [needs, wants, twin, toolchain, origins, source] = await Promise.all([
    Promise.all(step.needs.map(found)),
    Promise.all(step.wants.map(found)),
    same === null ? null : found(same),
    step.toolchain === null ? null : found(step.toolchain),
    Promise.all(sourcesUnder(plan, step).map(found)),
    tree === null ? null : found(tree),
  ]);
  // Checked in this order, so that the same missing input is always the one reported.
  const used = needs.map((result, at) => present(result, step.needs[at]!));
  return {
    inputs: [...used, ...[...wants, twin, source].filter((result) => result !== null)],
    toolchain: step.toolchain === null ? null : toolchainOf(step, present(toolchain, step.toolchain).facts),
    epoch: epochOf(origins),
  };
}

function toolchainOf(step: StepOf<KindName>, facts: JsonObject): Toolchain {
  const pin = pinOf(step, facts);
  const { tools = {}, pythons = {} } = typeof pin === 'string' ? (facts as Partial<Toolchain>) : pin;
  return { pin, tools, pythons };
}

const KEPT = 8;

/** Reads signed plans by digest and caches the last few: all steps of a run read the same plan. Throws PLAN_MISSING or
 * PLAN_NOT_SIGNED. */
export function createPlans(
  store: Store,
  signatures: Pick<PlanSignatures, 'isSigned'>,
): (digest: string) => Promise<Plan> {
  const parsed = new Map<string, Promise<Plan>>();
  return (digest) => {
    const reading = parsed.get(digest) ?? readPlan(digest, store, signatures);
    parsed.delete(digest);
    parsed.set(digest, reading);
    reading.catch(() => parsed.delete(digest));
    if (parsed.size > KEPT) parsed.delete(parsed.keys().next().value!);
    return reading;
  };
}

async function readPlan(digest: string, store: Store, signatures: Pick<PlanSignatures, 'isSigned'>): Promise<Plan> {
  if (!isDigest(digest) || !(await store.has(digest))) throw fail(planMissing(digest));
  if (!(await signatures.isSigned(digest))) throw fail(planUnsigned(digest));
  return JSON.parse(await readText(store, digest)) as Plan;
}

const byId = new WeakMap<Plan, ReadonlyMap<string, Step>>();

export function findStep<K extends KindName>(plan: Plan, digest: string, id: string): StepOf<K> {
  const all = byId.get(plan) ?? new Map(plan.steps.map((one) => [one.id, one]));
  byId.set(plan, all);
  const step = all.get(id);
  if (!step) throw fail(stepUnknown(id, digest));
  return step as unknown as StepOf<K>;
}

/** Adds this worker's paths of the pinned Pythons. A pin has only versions, which are the same on all workers. */
export async function located(pinned: Toolchain | null, around: StepContext): Promise<Toolchain | null> {
  if (pinned === null || around.python === undefined) return pinned;
  const pythons: Record<string, string> = {};
  for (const [tag, version] of Object.entries(pinned.pythons)) pythons[tag] = (await around.python(tag)) ?? version;
  return { ...pinned, pythons };
}
