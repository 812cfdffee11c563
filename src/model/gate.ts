import type { Digest } from './digest.js';
import type { Problem } from './failure.js';
import type { RunId } from './ids.js';
import { canonical } from './json.js';
import type { Word } from './words.js';

/** What a gate waits for, as the release file says it. */
export interface GateRules {
  readonly gate: string;
  /** OpenSSH public keys: paths in the bundle, each with the name of its group. */
  readonly approvers: readonly { readonly group: string; readonly key: string }[];
  /** Approvals by different keys; 0 where only time counts. */
  readonly quorum: number;
  /** How long an approval counts. */
  readonly expiresMs: number;
  /** Whether who started the run may approve it. */
  readonly self: boolean;
  /** How long the sealed bytes must have stood before it opens. */
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
  /** What the key calls its owner: its comment, the name of its file. */
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
export interface GateStatus {
  readonly name: string;
  readonly manifest: Digest;
  readonly quorum: number;
  readonly signed: GateRules['signed'];
  /** How long a yes counts. */
  readonly expiresMs: number;
  /** `release-managers: keys/first.pub, keys/second.pub`. */
  readonly approvers: readonly string[];
  /** Paths of their keys in the bundle. */
  readonly keys: readonly string[];
  /** Those that count now. */
  readonly approvals: readonly { readonly by: string; readonly verified: boolean; readonly until: number }[];
  /** When the soak ends, where it has not. */
  readonly soaksUntil?: number;
  readonly void?: readonly VoidApproval[];
  /** What to type. */
  readonly next: string;
}

export type GateWord = Extract<Word, { word: 'approve' | 'reject' }>;

/** What is known of who said it: no signature, or a listed key; else why it cannot count. */
export type Vetted =
  { readonly ok: true; readonly signer: Signer | null } | { readonly ok: false; readonly problem: Problem };

export const SIGNED_AS = 'slipway-approval';

/** The text that is signed: what is approved, where, until when. Another manifest, run or gate is another text. */
export const approvalText = (
  { word, gate, manifest, expires, reason, by }: GateWord,
  { workflow, run, profile }: { readonly workflow: string; readonly run: RunId; readonly profile: string },
): string =>
  `${canonical({
    ...{ slipway: 1, decision: word, gate: gateName(gate), manifest, workflow, run, profile },
    ...{ by: by ?? null, expires: expires ?? null, reason: reason ?? null },
  })}\n`;

export const gateId = (gate: string): string => `gates/${gateName(gate)}`;
export const gateName = (gate: string): string => gate.replace(/^gates\//, '');

/** Activity `openGate` on the control queue: what the gate is about. */
export type OpenGate = (
  input: GateInput,
) => Promise<{ readonly manifest: Digest; readonly earlier: readonly VoidApproval[] }>;
/** Activity `vetWords` on the control queue: whose approvals these are, in their order. */
export type VetWords = (
  input: Omit<GateInput, 'step'> & { readonly words: readonly GateWord[] },
) => Promise<readonly Vetted[]>;
interface GateInput {
  readonly plan: Digest;
  readonly step: string;
  readonly run: RunId;
  readonly workflowId: string;
}
