import type { Digest, Hash } from '../../model/digest.js';
import type { RunId } from '../../model/ids.js';
import type { KindName } from '../../model/kinds.js';
import type { Plan, StepOf } from '../../model/plan.js';
import type { Result } from '../../model/result.js';
import { readRounds } from '../../model/rounds.js';
import { epochOf, keyParts, sourceUnder } from '../cache/key-parts.js';
import { stepKey, type KeyParts } from '../cache/step-key.js';

/** As much of a store as is read here. */
export interface Records {
  read<T>(name: string): Promise<T | null>;
  list(prefix: string): Promise<readonly string[]>;
}

/** What the key of a step was taken over in a run, from the plan and the results that stand there; null where some are missing.
 * Every step key is taken apart this way: nothing is written for it while steps run. */
export async function partsIn(
  records: Records,
  run: RunId,
  plan: Plan,
  step: StepOf<KindName>,
): Promise<KeyParts | null> {
  const rounds = await readRounds(records, run);
  const resultOf = (id: string): Promise<Result | null> => records.read<Result>(rounds.result(id));
  const needs = await Promise.all(step.needs.map(resultOf));
  const wants = await Promise.all(step.wants.map(resultOf));
  const pin = step.toolchain === null ? null : await resultOf(step.toolchain);
  if (needs.includes(null) || (pin === null && step.toolchain !== null)) return null;
  const source = sourceUnder(plan, step);
  return keyParts(plan, step, {
    inputs: [...needs, ...wants].filter((result) => result !== null),
    toolchain: pin === null ? null : String(pin.facts['toolchain']),
    epoch: source === null ? null : epochOf(await resultOf(source)),
  });
}

/** The parts that really give a key: those of an older Slipway had an older epoch. Null where none do. */
export function provenBy(parts: KeyParts | null, key: Digest, hash: Hash): KeyParts | null {
  if (parts === null) return null;
  for (let { epoch } = parts; epoch > 0; epoch--) {
    const tried = { ...parts, epoch };
    if (stepKey(tried, hash) === key) return tried;
  }
  return null;
}
