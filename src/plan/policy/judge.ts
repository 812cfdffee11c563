import type { Problem } from '../../model/failure.js';
import { KINDS } from '../../model/kinds.js';
import type { Plan, Step } from '../../model/plan.js';
import { isHidden, shownOf } from '../../model/policy/address.js';
import { placeOf, type Receiver } from '../../model/policy/place.js';
import type { Policy, PolicyRow } from '../../model/schema/policy.js';
import type { ReadFile } from '../read/release-file.js';
import { covers } from './address.js';
import { allowedRefs, commitProblems, namesOf, type RefsOfCommits } from './commit.js';
import { policyMissing, refusals } from './errors.js';
import { gateIn, standsBehind } from './gate-before.js';
import { targetSecretProblems } from './secrets.js';

export type PolicyFile = ReadFile<Policy>;

export interface Question {
  /** Null if the worker has none. */
  readonly policy: PolicyFile | null;
  readonly path: string;
  readonly plan: Plan;
  /** Branches and tags of the plan's commits in the policy's repository. Null if the repository was not read. */
  readonly refs: RefsOfCommits | null;
}

/** An address of the plan that gets something of ours. `address` may be resolved; `planned` is the plan's text. */
export type Asked = Receiver & { readonly planned: string };

export interface NeededGate {
  readonly gate: string;
  readonly groups: readonly string[];
  readonly quorum: number;
}

/** The policy's answer about one target. */
export interface Judgement {
  readonly target: Asked;
  /** Index of the row that covers it. Null if none does. */
  readonly row: number | null;
  readonly gates: readonly NeededGate[];
  /** Branches and tags that may contain the commit. Null for any commit. */
  readonly from: readonly string[] | null;
  readonly problems: readonly Problem[];
}

/** Judges a target as far as possible without an approval. Pure. */
export function judgeTarget({ policy, path, plan, refs }: Question, target: Asked): Judgement {
  const named = { ...target, address: shownOf(target).address };
  const row = policy === null ? null : rowOf(policy.content, target);
  const judged = { target, row, gates: [], from: null, problems: [] };
  if (isHidden(target)) return judged;
  if (policy === null || row === null) {
    if (placeOf(target).here) return { ...judged, problems: policy ? targetSecretProblems(policy, null, target) : [] };
    const missing = policy === null ? policyMissing(named, path) : null;
    return { ...judged, problems: [missing ?? refusals.addressNotAllowed(policy!.at(['publish'], 'key'), named)] };
  }
  const gates = gatesOf(policy.content.publish[row]!);
  // Commits are asked of what is published.
  const isTarget = target.path === undefined;
  const allowed = isTarget ? allowedRefs(policy.content, row) : null;
  const problems = [
    ...targetSecretProblems(policy, row, target),
    ...gates.flatMap((needed) => gateProblems(policy, row, needed, target, plan)),
    ...(isTarget ? commitProblems(policy, row, plan, refs) : []),
  ];
  return { ...judged, gates, from: allowed && namesOf(allowed), problems };
}

const gatesOf = ({ gates }: PolicyRow): readonly NeededGate[] =>
  Object.entries(gates).map(([gate, { approvers, quorum }]) => ({ gate, groups: approvers, quorum }));

/** Returns the row that covers most of the address. A service name only matches on this machine. */
export function rowOf({ publish }: Policy, target: Asked): number | null {
  const isHere = placeOf(target).here;
  const fit = (row: PolicyRow): number =>
    Math.max(covers(row, target), isHere ? covers(row, { ...target, address: target.planned }) : 0);
  const best = Math.max(0, ...publish.map(fit));
  return best === 0 ? null : publish.findIndex((row) => fit(row) === best);
}

/** Refuses a gate weaker than the row's: it would open too early. */
function gateProblems(
  { content: { expires }, at }: PolicyFile,
  row: number,
  { gate, quorum }: NeededGate,
  target: Asked,
  plan: Plan,
): readonly Problem[] {
  const spot = at(['publish', row, 'gates', gate], 'key');
  const open = effectsOn(target, plan).find((step) => !standsBehind(step, gate, plan));
  if (open !== undefined) return [refusals.gateAbsent(spot, gate, target, open.id)];
  const rules = gateIn(plan, gate)?.params;
  if (rules === undefined) return [];
  const isWeaker = rules.quorum < quorum || rules.signed !== 'required';
  const isLonger = rules.expiresMs > expires;
  return [
    ...(isWeaker ? [refusals.gateWeaker(spot, gate, rules.quorum, quorum)] : []),
    ...(isLonger ? [refusals.approvalsTooLong(at(['expires']), gate, hours(rules.expiresMs), hours(expires))] : []),
  ];
}

const hours = (ms: number): number => Math.round(ms / 36_000) / 100;

const writes = (kind: Step['kind']): boolean => KINDS[kind].changes === 'target' || KINDS[kind].changes === 'report';

/** Steps that write to a target. Another address under the same name is another target. */
const effectsOn = ({ name, planned }: Asked, { steps }: Plan): readonly Step[] =>
  steps.filter(
    ({ kind, params }) =>
      writes(kind) && 'target' in params && params.target.name === name && params.target.address === planned,
  );
