import { epochOf, sameAs, sourcesUnder } from '../../engine/cache/key-parts.js';
import { pinOf } from '../../engine/cache/pin.js';
import { fail } from '../../model/failure.js';
import type { StepId } from '../../model/ids.js';
import type { JsonObject } from '../../model/json.js';
import type { Plan, StepOf } from '../../model/plan.js';
import type { KindName } from '../../model/kinds.js';
import type { Result } from '../../model/result.js';
import type { Rounds } from '../../model/rounds.js';
import type { Store } from '../ports.js';
import type { Toolchain } from '../work.js';
import { inputMissing } from './errors.js';

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
