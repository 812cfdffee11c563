import { short, type Digest, type Hash } from '../../model/digest.js';
import { rowOf, type KindName } from '../../model/kinds.js';
import type { Finding } from '../../model/finding.js';
import type { RunId } from '../../model/ids.js';
import type { Result } from '../../model/result.js';
import { stepKey, type KeyParts, pinOf } from '../cache/step-key.js';
import { changedFields, type Changed } from './changed.js';
import type { Plan, StepOf } from '../../model/plan.js';
import { readRounds, type Records } from '../../model/rounds.js';
import { epochOf, keyParts, sameAs, sourcesUnder } from '../cache/key-parts.js';

export interface RunName {
  readonly run: RunId;
  readonly workflowId: string | null;
  /** Start of the run, ISO 8601. */
  readonly at: string | null;
}

/** The latest result of the same step in an earlier run of the same release. */
export interface Earlier {
  readonly of: RunName;
  readonly result: Result;
  /** The parts of its key. Null if they are no longer known. */
  readonly parts: KeyParts | null;
}

export interface Making {
  readonly kind: KindName;
  /** As the plan has it of the step. */
  readonly cache?: 'always';
  readonly release: string;
  readonly result: Result | null;
  /** The parts of its key. Null if inputs are missing. */
  readonly parts: KeyParts | null;
  readonly fresh: boolean;
  readonly notLookedUp: boolean;
  readonly earlier: Earlier | null;
}

export const MADE_ANEW = ['always', 'asked', 'told', 'not looked up', 'first', 'lost', 'changed', 'unknown'] as const;

/** Why a step ran instead of being reused. */
export interface MadeAnew {
  readonly reason: (typeof MADE_ANEW)[number];
  readonly because: string;
  readonly against?: RunName;
  readonly changed: readonly Changed[];
}

export function whyMade(making: Making, hash: Hash): MadeAnew {
  const { kind, cache, release, fresh, notLookedUp, earlier } = making;
  const row = rowOf(kind);
  if (row === undefined)
    return { reason: 'unknown', because: `this program does not know its kind, ${kind}`, changed: [] };
  const against = earlier === null ? {} : { against: earlier.of };
  const changed = changedSince(making);
  if (fresh) return { reason: 'told', because: 'a person let it run again (`retry --from`)', ...against, changed };
  if (row.cache === 'always')
    return { reason: 'always', because: `a step of its kind, ${kind}, runs in every run`, changed: [] };
  if (cache === 'always')
    return { reason: 'always', because: 'its entry says `cache: false`: it runs in every run', changed: [] };
  if (notLookedUp) return { reason: 'not looked up', because: 'not looked up: --no-cache', ...against, changed };
  if (row.cache === 'probe' && changed.length === 0)
    return { reason: 'asked', because: 'the world was asked, and did not hold what it makes', ...against, changed };
  if (earlier === null)
    return { reason: 'first', because: `no earlier run of ${release} in this store has a result of it`, changed };
  if (keyOf(making, hash) === earlier.result.key) return { ...lost(making), ...against, changed: [] };
  if (changed.length > 0) return { reason: 'changed', because: fieldsChanged(changed.length), ...against, changed };
  const because = 'its key is another one, and what the key stands on is not all in this store any more';
  return { reason: 'unknown', because, ...against, changed };
}

const fieldsChanged = (count: number): string =>
  count === 1 ? 'one field of its key changed' : `${count} fields of its key changed`;

/** Whether lost bytes were made again. The earlier result is still valid then. */
export const wasRebuilt = (making: Making): boolean => rebuilt(making) !== undefined;

const rebuilt = ({ result }: Making): Finding | undefined =>
  result?.findings.find(({ code }) => code === 'STORE_REBUILT');

function lost(making: Making): Pick<MadeAnew, 'reason' | 'because'> {
  const found = rebuilt(making);
  const because =
    found === undefined
      ? 'its key is the same, but nothing was remembered under it when it began'
      : `its key is the same, but ${found.why}`;
  return { reason: 'lost', because };
}

const keyOf = ({ result, parts }: Making, hash: Hash): Digest | null =>
  result?.key ?? (parts === null ? null : stepKey(parts, hash));

const changedSince = ({ parts, earlier }: Making): readonly Changed[] =>
  parts === null || earlier === null || earlier.parts === null ? [] : changedFields(earlier.parts, parts);

/** Describes why a step was reused.
 * @param maker the run that made the result */
export function whyReused({ kind, result }: Pick<Making, 'kind' | 'result'>, maker: RunName | null): string {
  if (result === null) return 'its result was known';
  if (rowOf(kind)?.cache === 'probe') return 'the world was asked, and holds what it would make';
  const who = maker === null ? '' : `, made by ${nameOf(maker)} in ${Math.round(result.made.ms)} ms`;
  return `its key ${short(result.key)} is known${who}`;
}

/** `rehearsal/skiff/1.0.0, run 01a1fe7c, 2026-11-21T12:00:00Z`. */
export const nameOf = ({ run, workflowId, at }: RunName): string =>
  [workflowId, `run ${run}`, at?.replace(/\.\d+Z$/, 'Z')].filter((part) => part != null).join(', ');

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
