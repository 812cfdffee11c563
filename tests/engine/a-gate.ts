import type { Scheduler } from '../../src/engine/run/scheduler.js';
import type { GateState } from '../../src/engine/gates/gate-rules.js';
import type { Digest } from '../../src/model/digest.js';
import type { Approval, GateRules, GateAction, Signer } from '../../src/model/gate.js';

export const SEALED: Digest = `sha256:${'5e'.repeat(32)}`;
export const OTHER: Digest = `sha256:${'0b'.repeat(32)}`;

export const aRule = (over: Partial<GateRules> = {}): GateRules => ({
  gate: 'ship',
  approvers: ['kim', 'lee', 'ann'].map((name) => ({ group: 'core', key: `keys/${name}.pub` })),
  quorum: 1,
  expiresMs: 3_600_000,
  self: true,
  soakMs: 0,
  signed: 'required',
  tests: 'sealed',
  ...over,
});

export const aGate = (over: Partial<GateState> = {}): GateState => ({
  manifest: SEALED,
  nonce: 'opening 1',
  targets: [],
  openedAtMs: 1000,
  approvals: [],
  void: [],
  passed: false,
  ...over,
});

export const aSigner = (name: string): Signer => ({
  fingerprint: `SHA256:${name}`,
  group: 'core',
  key: `keys/${name}.pub`,
  names: [`${name}@host`, name],
});

export const aYes = (over: Partial<Extract<GateAction, { action: 'approve' }>> = {}): GateAction => ({
  action: 'approve',
  gate: 'ship',
  manifest: SEALED,
  by: 'kim',
  ...over,
});

export const anApproval = (name: string, untilMs = 9000, signed = true): Approval => ({
  by: name,
  signer: signed ? aSigner(name) : null,
  atMs: 0,
  untilMs,
});

/** Nonce of the opening that an action is about; empty where the gate does not wait. */
export const nonceAt = (scheduler: Pick<Scheduler, 'answers'>, action: GateAction): string =>
  scheduler.answers.opening(action)?.nonce ?? '';
