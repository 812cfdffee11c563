import type { Digest, Hash } from '../../model/digest.js';
import type { RunId } from '../../model/ids.js';
import { type KindName, rowOf } from '../../model/kinds.js';
import type { Plan, StepOf } from '../../model/plan.js';
import type { Result } from '../../model/result.js';
import { readRounds, type Records } from '../../model/rounds.js';
import { pinOf, stepKey, type KeyParts } from '../cache/step-key.js';
import { epochOf, keyParts, sameAs, sourcesUnder } from '../cache/key-parts.js';

/** Rebuilds the parts of a step's key from the plan and the run's results, so that steps need not record them. Null if
 * some are missing, or if this program does not know the kind. */
export async function partsIn(
  records: Records,
  run: RunId,
  plan: Plan,
  step: StepOf<KindName>,
): Promise<KeyParts | null> {
  const rounds = await readRounds(records, run);
  const resultOf = (id: string): Promise<Result | null> => records.read<Result>(rounds.result(id));
  const needs = await Promise.all(step.needs.map(resultOf));
  const same = sameAs(step);
  const wants = await Promise.all([...step.wants, ...(same === null ? [] : [same])].map(resultOf));
  const pin = step.toolchain === null ? null : await resultOf(step.toolchain);
  if (rowOf(step.kind) === undefined || needs.includes(null) || (pin === null && step.toolchain !== null)) return null;
  return keyParts(plan, step, {
    inputs: [...needs, ...wants].filter((result) => result !== null),
    toolchain: pin === null ? null : pinOf(step, pin.facts),
    epoch: epochOf(await Promise.all(sourcesUnder(plan, step).map(resultOf))),
  });
}

/** Returns parts that really give this key, trying older epochs too. Null if none does. */
export function provenBy(parts: KeyParts | null, key: Digest, hash: Hash): KeyParts | null {
  if (parts === null) return null;
  for (let { epoch } = parts; epoch > 0; epoch--) {
    const tried = { ...parts, epoch };
    if (stepKey(tried, hash) === key) return tried;
  }
  return null;
}
