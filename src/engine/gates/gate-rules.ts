import { short, type Digest } from '../../model/digest.js';
import type { Problem } from '../../model/failure.js';
import type { Approval, GateRules, GateStatus, GateAction, Opening, Vetted, VoidApproval } from '../../model/gate.js';
import { clock } from '../../model/counted.js';
import { earliest } from '../run/earliest.js';
import * as errors from './errors.js';

export interface GateState extends Opening {
  readonly manifest: Digest;
  readonly openedAtMs: number;
  readonly approvals: readonly Approval[];
  readonly void: readonly VoidApproval[];
  /** True with enough approvals and after the soak. The gate's step may then run. */
  readonly passed: boolean;
}

export interface ApprovalContext {
  readonly nowMs: number;
  /** By how much the run's own time is ahead of the clock, in milliseconds. Expiry times are by the clock. */
  readonly aheadMs?: number;
  /** Self-reported name of the person who started the run. Null if none was given. */
  readonly startedBy: string | null;
}

/** Returns why an approval cannot count, before its signature is verified. Null if it may count. */
export function unfit(rules: GateRules, gate: GateState, action: GateAction): Problem | null {
  if (action.manifest !== gate.manifest) return errors.approvalVoid(rules.gate, action.manifest, gate.manifest);
  if (action.expires !== undefined && Number.isNaN(Date.parse(action.expires)))
    return errors.expiryNotATime(action.expires);
  return null;
}

/** Returns the approval if an action counts at this gate, or why it does not. */
export function judge(
  rules: GateRules,
  gate: GateState,
  action: GateAction,
  vetted: Vetted,
  { nowMs, startedBy, aheadMs = 0 }: ApprovalContext,
): Approval | Problem {
  const problem = unfit(rules, gate, action);
  if (problem !== null) return problem;
  if (!vetted.ok) return vetted.problem;
  const { signer } = vetted;
  if (signer === null && rules.signed === 'required') return errors.notSigned(rules.gate);
  if (signer === null && action.by === undefined) return errors.nobodySaysIt(rules.gate);
  const said = action.expires === undefined ? Infinity : Date.parse(action.expires) + aheadMs;
  const untilMs = Math.min(nowMs + rules.expiresMs, said);
  if (untilMs <= nowMs) return errors.approvalExpired(rules.gate, action.expires ?? '');
  const by = action.by ?? signer!.names[0] ?? signer!.key;
  const approval = { by, signer, atMs: nowMs, untilMs, ...(action.reason !== undefined && { reason: action.reason }) };
  if (action.action === 'approve' && !rules.self) {
    if (startedBy === null) return errors.starterUnknown(rules.gate);
    if (namesOf(approval).includes(plainName(startedBy))) return errors.ownApproval(rules.gate, startedBy);
  }
  return approval;
}

/** Adds an approval. A person's second approval replaces the first, unless only the first is signed. */
export function approved<Gate extends Pick<GateState, 'approvals'>>(gate: Gate, approval: Approval): Gate {
  const { approvals } = gate;
  if (approval.signer === null && approvals.some((other) => other.signer !== null && isSame(other, approval)))
    return gate;
  return { ...gate, approvals: [...approvals.filter((other) => !isSame(other, approval)), approval] };
}

/** Returns the approvals that are valid at this time, one for each key. */
export const counting = ({ approvals }: Pick<GateState, 'approvals'>, nowMs: number): readonly Approval[] =>
  approvals
    .filter(({ untilMs }) => nowMs < untilMs)
    .filter((one, at, all) => all.findIndex((other) => isSame(one, other)) === at);

export const soaksUntil = (rules: GateRules, gate: GateState): number => gate.openedAtMs + rules.soakMs;

export const mayPass = (rules: GateRules, gate: GateState, nowMs: number): boolean =>
  counting(gate, nowMs).length >= rules.quorum && nowMs >= soaksUntil(rules, gate);

/** Returns when a gate changes without an action: its soak ends, or an approval expires. */
export function lookAgainMs(rules: GateRules, gate: GateState, nowMs: number): number | null {
  const times = [soaksUntil(rules, gate), ...gate.approvals.map(({ untilMs }) => untilMs)];
  return earliest(times.filter((at) => at > nowMs));
}

/** Whether two approvals are of one person: by key if both have one, else by name. */
function isSame(one: Approval, other: Approval): boolean {
  if (one.signer !== null && other.signer !== null) return one.signer.fingerprint === other.signer.fingerprint;
  const names = namesOf(other);
  return namesOf(one).some((name) => names.includes(name));
}

/** Returns the normalised names of a person: the given one, and those of their key. `kim@host` becomes `kim`. */
const namesOf = ({ by, signer }: Approval): readonly string[] => [by, ...(signer?.names ?? [])].map(plainName);
const plainName = (name: string): string => name.trim().toLowerCase().split('@')[0]!;

export function gateStatus(rules: GateRules, gate: GateState, nowMs: number): GateStatus {
  const groups = [...new Set(rules.approvers.map(({ group }) => group))];
  const keysOf = (name: string) => rules.approvers.filter(({ group }) => group === name).map(({ key }) => key);
  const until = soaksUntil(rules, gate);
  return {
    name: rules.gate,
    manifest: gate.manifest,
    nonce: gate.nonce,
    targets: gate.targets,
    quorum: rules.quorum,
    signed: rules.signed,
    expiresMs: rules.expiresMs,
    keys: [...new Set(rules.approvers.map(({ key }) => key))],
    approvers: groups.map((group) => `${group}: ${keysOf(group).join(', ')}`),
    approvals: counting(gate, nowMs).map(({ by, signer, untilMs }) => ({
      by,
      verified: signer !== null,
      until: untilMs,
    })),
    ...(until > nowMs && { soaksUntil: until }),
    ...(gate.void.length > 0 && { void: gate.void }),
    next: rules.quorum === 0 ? 'Nobody need say anything: it opens by itself.' : `slipway approve ${rules.gate}`,
  };
}

/** Describes what a gate waits for. */
export function whyShut({ approvals, quorum, soaksUntil: until, void: gone, manifest }: GateStatus): string {
  const said = approvals.map(({ by, verified }) => `${by}${verified ? '' : ', unverified'}`).join('; ');
  return [
    ...(quorum > 0 ? [`${approvals.length} of ${quorum} approvals${said === '' ? '' : ` (${said})`}`] : []),
    ...(until === undefined ? [] : [`soaks until ${clock(until)}`]),
    ...(gone ?? []).map(
      (one) =>
        `void: ${one.by} approved ${short(one.manifest)}${one.manifest === manifest ? ' in an earlier run' : `, this is ${short(manifest)}`}`,
    ),
  ].join('; ');
}
