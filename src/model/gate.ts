import type { Digest } from './digest.js';
import type { Problem } from './failure.js';
import type { RunId } from './ids.js';
import { canonical } from './json.js';
import type { TargetKind } from './target.js';
import type { Action } from './actions.js';

/** The rules of a gate, from the release file. */
export interface GateRules {
  readonly gate: string;
  /** OpenSSH public keys: paths in the bundle, each with the name of its group. */
  readonly approvers: readonly { readonly group: string; readonly key: string }[];
  /** Approvals by different keys; 0 where only time counts. */
  readonly quorum: number;
  /** How long an approval counts. */
  readonly expiresMs: number;
  /** Whether the person who started the run may approve it. */
  readonly self: boolean;
  /** Least time from the opening of the gate until it passes. */
  readonly soakMs: number;
  readonly signed: 'required' | 'optional';
  /** `passed`: a test that was left out or dropped keeps it shut. */
  readonly tests: 'passed' | 'sealed';
}

/** The key behind an approval, as it was verified. */
export interface Signer {
  /** `SHA256:…`. */
  readonly fingerprint: string;
  readonly group: string;
  /** Path of the key in the bundle. */
  readonly key: string;
  /** Names of the owner: the comment of the key, the name of its file. */
  readonly names: readonly string[];
}

/** One person's yes. */
export interface Approval {
  readonly by: string;
  /** Null: nobody signed it, and who said it is not known. */
  readonly signer: Signer | null;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly untilMs: number;
  readonly reason?: string;
}

/** An approval of other bytes, or of an earlier run: it counts no more. */
export interface VoidApproval {
  readonly by: string;
  readonly manifest: Digest;
  readonly run: RunId;
}

/** A gate that waits, as status tells it. */
export interface GateStatus extends Opening {
  readonly name: string;
  readonly manifest: Digest;
  readonly quorum: number;
  readonly signed: GateRules['signed'];
  /** How long an approval counts. */
  readonly expiresMs: number;
  /** `release-managers: keys/first.pub, keys/second.pub`. */
  readonly approvers: readonly string[];
  /** Paths of their keys in the bundle. */
  readonly keys: readonly string[];
  /** Approvals that count now. */
  readonly approvals: readonly { readonly by: string; readonly verified: boolean; readonly until: number }[];
  /** When the soak ends. Absent if it has ended. */
  readonly soaksUntil?: number;
  readonly void?: readonly VoidApproval[];
  /** The command to type. */
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

/** A target of a plan, with its address as a worker resolved it. */
export interface TargetAddress {
  readonly name: string;
  readonly kind: TargetKind;
  readonly address: string;
  readonly repository: string | null;
}

/** A gate that opened: what an approval at it must name besides the manifest. */
export interface Opening {
  readonly nonce: string;
  readonly targets: readonly TargetAddress[];
}

/** Nonces of gates that opened, by the gate's name. A nonce is new for each opening: an approval counts in its own opening only. */
export type Openings = Readonly<Record<string, string>>;

/** The part of an approval's text that the approver does not type. */
export interface ApprovalScope extends Opening {
  readonly workflow: string;
  readonly run: RunId;
  /** Digest of the plan: it has the tags, lines and pointers behind the gate. */
  readonly plan: Digest;
  readonly profile: string;
}

/** The text that is signed. An approval of other bytes, another plan, address, run, gate or opening is another text. */
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

/** Activity `openGate` on the control queue: what the gate is about. */
export type OpenGate = (input: OpenGateInput) => Promise<OpenedGate>;
export interface OpenGateInput extends GateInput {
  readonly step: string;
  /** Digest of the manifest that the run sealed. */
  readonly sealed?: Digest;
}
export interface OpenedGate {
  readonly manifest: Digest;
  readonly earlier: readonly VoidApproval[];
  /** Sorted by name. */
  readonly targets: readonly TargetAddress[];
}
/** Activity `verifyApprovals` on the control queue: whose approvals these are, in their order. */
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
