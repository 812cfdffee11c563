import type { Digest } from './digest.js';
import type { Problem } from './failure.js';
import type { RunId } from './ids.js';
import { canonical } from './json.js';
import type { TargetKind } from './target-kinds.js';
import type { Action } from './actions.js';
import type { Infer } from './schema/infer.js';
import type { Gate } from './schema/params.js';

export type GateRules = Infer<typeof Gate>;

export interface Signer {
  readonly fingerprint: string;
  readonly group: string;
  /** Path of the key in the bundle. */
  readonly key: string;
  /** Names of the owner, from the key's comment and file name. */
  readonly names: readonly string[];
}

export interface Approval {
  readonly by: string;
  /** Null for an unsigned approval, whose sender is unknown. */
  readonly signer: Signer | null;
  readonly atMs: number;
  readonly untilMs: number;
  readonly reason?: string;
}

/** An approval of other bytes or of an earlier run. It no longer counts. */
export interface VoidApproval {
  readonly by: string;
  readonly manifest: Digest;
  readonly run: RunId;
}

/** A waiting gate, for the status. */
export interface GateStatus extends Opening {
  readonly name: string;
  readonly manifest: Digest;
  readonly quorum: number;
  readonly signed: GateRules['signed'];
  readonly expiresMs: number;
  /** `release-managers: keys/first.pub, keys/second.pub`. */
  readonly approvers: readonly string[];
  /** Paths of the approvers' keys in the bundle. */
  readonly keys: readonly string[];
  readonly approvals: readonly { readonly by: string; readonly verified: boolean; readonly until: number }[];
  /** End of the soak. Absent if it has ended. */
  readonly soaksUntil?: number;
  readonly void?: readonly VoidApproval[];
  readonly next: string;
}

export type GateAction = Extract<Action, { action: 'approve' | 'reject' }>;

/** The outcome of verifying an action: unsigned, signed by a listed key, or refused with a problem. */
export type Vetted =
  | {
      readonly ok: true;
      readonly signer: Signer | null;
      /** SHA-256 of the signed text. Absent without a signature. */
      readonly text?: Digest;
    }
  | { readonly ok: false; readonly problem: Problem };

export const SIGNED_AS = 'slipway-approval';

/** A target with its address as a worker resolved it. */
export interface TargetAddress {
  readonly name: string;
  readonly kind: TargetKind;
  readonly address: string;
  readonly repository: string | null;
}

/** An opened gate. An approval names it besides the manifest. */
export interface Opening {
  readonly nonce: string;
  readonly targets: readonly TargetAddress[];
}

/** Nonces of opened gates, by the gate's name. An opening for other bytes or targets has a new nonce, so an approval is valid for one of them. */
export type Openings = Readonly<Record<string, string>>;

/** The part of an approval's text that Slipway fills in. */
export interface ApprovalScope extends Opening {
  readonly workflow: string;
  readonly run: RunId;
  /** Digest of the plan, which fixes the tags, lines and pointers behind the gate. */
  readonly plan: Digest;
  readonly profile: string;
}

/** Returns the text to sign. It differs for other bytes, another plan, address, run, gate or opening. */
export const approvalText = (
  { action, gate, manifest, expires, reason, by }: GateAction,
  { workflow, run, plan, profile, nonce, targets }: ApprovalScope,
): string =>
  `${canonical({
    ...{ slipway: 3, decision: action, gate: gateName(gate), manifest, workflow, run, plan, profile, nonce },
    targets: targets.map(({ name, kind, address, repository }) => ({ name, kind, address, repository })),
    ...{ by: by ?? null, expires: expires ?? null, reason: reason ?? null },
  })}\n`;

export const gateId = (gate: string): string => `gates/${gateName(gate)}`;
export const gateName = (gate: string): string => gate.replace(/^gates\//, '');

export type OpenGate = (input: OpenGateInput) => Promise<OpenedGate>;
export interface OpenGateInput extends GateInput {
  readonly step: string;
  readonly sealed?: Digest;
}
export interface OpenedGate {
  readonly manifest: Digest;
  readonly earlier: readonly VoidApproval[];
  readonly targets: readonly TargetAddress[];
}
/** Activity `verifyApprovals` on the control queue. Answers in the order of the input. */
export type VerifyApprovals = (input: VetInput) => Promise<readonly Vetted[]>;
export interface VetInput extends GateInput {
  readonly actions: readonly GateAction[];
  /** Each action's number in the run, and the opening of its gate. */
  readonly heard: readonly HeardAt[];
}
export interface HeardAt {
  readonly no: number;
  readonly opening: Opening;
}
interface GateInput {
  readonly plan: Digest;
  readonly run: RunId;
  readonly workflowId: string;
}
