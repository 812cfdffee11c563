import { approved, counting, judge, whyShut, gateStatus } from '../../src/engine/gates/gate-rules.js';
import type { Approval, GateRules, GateAction, Vetted } from '../../src/model/gate.js';
import { aGate, anApproval, aRule, aSigner, aYes, OTHER, SEALED } from './a-gate.js';
import { aProblem, aSkeleton } from './a-skeleton.js';
import { Driven } from './drive.js';

const bySignature = (name: string): Vetted => ({ ok: true, signer: aSigner(name) });
const UNSIGNED: Vetted = { ok: true, signer: null };
const NOW = { nowMs: 5000, startedBy: 'kim' };

const codeOf = (said: Approval | { code: string }): string => ('code' in said ? said.code : 'counts');

test.each<[string, Partial<GateRules>, Partial<GateAction>, Vetted, string]>([
  ['signed by a listed key', {}, {}, bySignature('kim'), 'counts'],
  ['of another manifest', {}, { manifest: OTHER }, bySignature('kim'), 'APPROVAL_VOID'],
  [
    'of another manifest, by an unlisted key',
    {},
    { manifest: OTHER },
    { ok: false, problem: aProblem() },
    'APPROVAL_VOID',
  ],
  ['by an unlisted key', {}, {}, { ok: false, problem: aProblem({ code: 'KEY_NOT_LISTED' }) }, 'KEY_NOT_LISTED'],
  ['without a signature', {}, {}, UNSIGNED, 'APPROVAL_NOT_SIGNED'],
  ['without a signature, where that is optional', { signed: 'optional' }, {}, UNSIGNED, 'counts'],
  ['without a name', { signed: 'optional' }, { by: undefined }, UNSIGNED, 'APPROVAL_BY_NOBODY'],
  ['by a key without a name', {}, { by: undefined }, bySignature('kim'), 'counts'],
  ['that has expired', {}, { expires: '1970-01-01T00:00:05Z' }, bySignature('kim'), 'APPROVAL_EXPIRED'],
  ['with an invalid expiry', {}, { expires: 'tomorrow' }, bySignature('kim'), 'ACTION_NOT_UNDERSTOOD'],
  ['by the user who started the run', { self: false }, {}, bySignature('kim'), 'OWN_APPROVAL'],
  ['by the same user under another name', { self: false }, { by: 'x' }, bySignature('kim'), 'OWN_APPROVAL'],
  ['by another user', { self: false }, { by: 'lee' }, bySignature('lee'), 'counts'],
  [
    'as a rejection by the user who started the run',
    { self: false },
    { action: 'reject', reason: 'bad' } as never,
    bySignature('kim'),
    'counts',
  ],
])('given an approval %s, then the answer is as expected', (_, rules, action, vetted, code) => {
  expect(codeOf(judge(aRule(rules), aGate(), { ...aYes(), ...action } as GateAction, vetted, NOW))).toBe(code);
});

test('given a run without a known starter, when self-approval is forbidden, then the approval is refused with STARTER_UNKNOWN', () => {
  const said = judge(aRule({ self: false }), aGate(), aYes(), bySignature('lee'), { nowMs: 1, startedBy: null });
  expect(codeOf(said)).toBe('STARTER_UNKNOWN');
});

test('given an approval of another manifest, then the refusal names both digests', () => {
  const said = judge(aRule(), aGate(), aYes({ manifest: OTHER }), bySignature('kim'), NOW);
  expect('message' in said && said.message).toContain(OTHER);
  expect('message' in said && said.message).toContain(SEALED);
});

test('given an approval with an expiry of its own, then it expires no later than the release file allows', () => {
  const far = aYes({ expires: '2099-01-01T00:00:00Z' });
  expect(judge(aRule(), aGate(), far, bySignature('kim'), NOW)).toMatchObject({ untilMs: 5000 + 3_600_000 });
  const near = aYes({ expires: '1970-01-01T00:00:06Z' });
  expect(judge(aRule(), aGate(), near, bySignature('kim'), NOW)).toMatchObject({ untilMs: 6000 });
});

test('given approvals, then they are counted by key and not by name', () => {
  const withKey = (by: string, fingerprint: string): Approval => ({
    ...anApproval(by),
    signer: { ...aSigner('kim'), fingerprint },
  });
  const count = (...said: readonly Approval[]) => counting(said.reduce(approved, aGate()), 0).length;
  expect(count(withKey('kim', 'SHA256:one'), withKey('kim', 'SHA256:two'))).toBe(2);
  expect(count(withKey('kim', 'SHA256:one'), withKey('lee', 'SHA256:one'))).toBe(1);
});

test('given a signed approval, when the same person approves unsigned, then the signed approval stays', () => {
  const gate = approved(approved(aGate(), anApproval('kim')), anApproval('kim', 1, false));
  expect(gate.approvals).toEqual([anApproval('kim')]);
});

const GRAPH = (over: Partial<GateRules> = {}, rehearsal = false) =>
  aSkeleton(
    [
      { id: 'seal', kind: 'sealManifest', stage: 'seal' },
      { id: 'gates/ship', kind: 'passGate', stage: 'gates', needs: [0], gate: aRule(over) },
      { id: 'publish', kind: 'publishArtifacts', stage: 'publish', needs: [0, 1] },
      { id: 'report', kind: 'writeReport', stage: 'report', after: [0, 1, 2] },
    ],
    { rehearsal },
  );

/** As far as the gate, which has been asked about. */
function atGate(over: Partial<GateRules> = {}, options = {}): Driven {
  const driven = new Driven(GRAPH(over), { onFailure: 'hold', ...options });
  driven.next();
  expect(driven.done('seal')).toEqual(['open gates/ship']);
  return driven;
}

test('given a gate that waits, when it is approved, then it passes', () => {
  const driven = atGate();
  driven.opened('gates/ship', SEALED);
  expect(driven.states()).toMatchObject({ 'gates/ship': 'at gate', publish: 'waiting' });
  expect(driven.scheduler.status()[1]).toMatchObject({
    because: '0 of 1 approvals',
    gate: {
      manifest: SEALED,
      next: 'slipway approve ship',
      approvers: ['core: keys/kim.pub, keys/lee.pub, keys/ann.pub'],
    },
  });
  expect(driven.atGate(aYes(), 'kim')).toEqual([
    'gates/ship is approved by kim (core, SHA256:kim): 1 of 1',
    'start gates/ship',
  ]);
  expect(driven.done('gates/ship')).toEqual(['start publish']);
});

test('given a rehearsal, then it passes gates at once; with stopAtGates it waits at them', () => {
  const driven = new Driven(GRAPH({}, true));
  driven.next();
  expect(driven.done('seal')).toEqual(['start gates/ship']);
  const told = new Driven(GRAPH({}, true), { stopAtGates: true });
  told.next();
  expect(told.done('seal')).toEqual(['open gates/ship']);
});

test('given a quorum of two, then two different keys are needed', () => {
  const driven = atGate({ quorum: 2 });
  driven.opened('gates/ship', SEALED);
  expect(driven.atGate(aYes(), 'kim')[0]).toContain('1 of 2');
  expect(driven.atGate(aYes({ by: 'other' }), 'kim')[0]).toContain('1 of 2');
  expect(driven.states()['gates/ship']).toBe('at gate');
  expect(driven.atGate(aYes({ by: 'lee' }), 'lee')).toContain('start gates/ship');
});

test('given a quorum of two, when the first approval expires before the second, then only one counts', () => {
  const driven = atGate({ quorum: 2, expiresMs: 1500 });
  driven.opened('gates/ship', SEALED);
  expect(driven.atGate(aYes(), 'kim')).toContain('wake 1500');
  driven.atMs += 1500;
  driven.wake();
  expect(driven.atGate(aYes({ by: 'lee' }), 'lee')[0]).toContain('1 of 2');
});

test('given a gate with only a soak time, when that time is over, then it passes without approvals', () => {
  const driven = atGate({ quorum: 0, soakMs: 7_200_000 });
  expect(driven.opened('gates/ship', SEALED)).toEqual(['wake 7200000']);
  expect(driven.scheduler.status()[1]!.because).toMatch(/^soaks until 1970-01-01T02:/);
  driven.atMs += 7_200_000;
  expect(driven.wake()).toContain('start gates/ship');
});

test('when an approval arrives before the soak time ends, then the gate still waits', () => {
  const driven = atGate({ soakMs: 7_200_000 });
  driven.opened('gates/ship', SEALED);
  expect(driven.atGate(aYes(), 'kim')).not.toContain('start gates/ship');
  driven.atMs += 3_000_000;
  driven.wake();
  expect(driven.states()['gates/ship']).toBe('at gate');
});

test('when a gate is rejected, then it is held with the reason; when it is retried, then approvals start from zero', () => {
  const driven = atGate({ quorum: 2 });
  driven.opened('gates/ship', SEALED);
  driven.atGate(aYes(), 'kim');
  driven.atGate({ ...aYes(), action: 'reject', reason: 'wrong notes', by: 'lee' } as GateAction, 'lee');
  expect(driven.states()).toMatchObject({ 'gates/ship': 'held', publish: 'waiting' });
  expect(driven.scheduler.status()[1]!.problems).toMatchObject([
    { code: 'GATE_REJECTED', message: 'lee rejected gate ship: wrong notes' },
  ]);
  expect(driven.action({ action: 'retry', step: 'gates/ship' })).toContain('open gates/ship');
  driven.opened('gates/ship', SEALED);
  expect(driven.scheduler.status()[1]!.because).toBe('0 of 2 approvals');
});

test('given a signed approval from before a rejection, when it is sent again by another user, then it does not count', () => {
  const driven = atGate({ quorum: 2 });
  driven.opened('gates/ship', SEALED);
  const yes = aYes({ signature: 'kims' });
  expect(driven.atGate(yes, 'kim')[0]).toContain('1 of 2');
  driven.atGate({ ...aYes({ by: 'lee' }), action: 'reject', reason: 'no' } as GateAction, 'lee');
  driven.action({ action: 'retry', step: 'gates/ship' });
  driven.opened('gates/ship', SEALED);
  expect(driven.atGate(yes, 'kim')).toEqual(['APPROVAL_USED']);
  expect(driven.atGate(aYes({ signature: 'new' }), 'kim')[0]).toContain('1 of 2');
});

test('given an approval from before a rejection, when an earlier step is retried, then the approval counts no more', () => {
  const driven = atGate({ quorum: 2 });
  driven.opened('gates/ship', SEALED);
  expect(driven.atGate(aYes({ signature: 'kims' }), 'kim')[0]).toContain('1 of 2');
  driven.atGate({ ...aYes({ by: 'lee' }), action: 'reject', reason: 'no' } as GateAction, 'lee');
  driven.action({ action: 'retry', from: 'seal' });
  driven.done('seal');
  driven.opened('gates/ship', SEALED);
  expect(driven.atGate(aYes({ by: 'lee', signature: 'lees' }), 'lee')[0]).toContain('1 of 2');
});

test('given a gate that is retried, then each opening has a new nonce', () => {
  let at = 0;
  const driven = atGate({}, { random: () => (++at * 0.381966) % 1 });
  const nonces = [1, 2, 3].map(() => {
    driven.opened('gates/ship', SEALED);
    const { nonce } = driven.scheduler.status()[1]!.gate!;
    driven.atGate({ ...aYes(), action: 'reject', reason: 'no' } as GateAction, 'kim');
    driven.action({ action: 'retry', step: 'gates/ship' });
    return nonce;
  });
  expect(new Set(nonces).size).toBe(3);
});

test('given steps behind the seal, then they start with the manifest digest and the nonces of the gates', () => {
  const driven = new Driven(GRAPH(), { onFailure: 'hold' });
  driven.next();
  driven.ended('seal', { outcome: 'done', ms: 1, note: '', sealed: SEALED });
  driven.opened('gates/ship', SEALED);
  const { nonce } = driven.scheduler.status()[1]!.gate!;
  driven.atGate(aYes(), 'kim');
  driven.done('gates/ship');
  const told = driven.commands.flatMap((one) => (one.do === 'open' || one.do === 'start' ? [one] : []));
  expect(told.map(({ step, sealed, openings }) => [step, sealed, openings])).toEqual([
    [0, undefined, undefined],
    [1, SEALED, undefined],
    [1, SEALED, { ship: nonce }],
    [2, SEALED, { ship: nonce }],
  ]);
});

test('given an approval verified for an earlier opening, then it is refused with APPROVAL_VOID', () => {
  const driven = atGate();
  driven.opened('gates/ship', SEALED);
  const action = { what: 'gate action', action: aYes(), vetted: bySignature('kim'), nonce: 'of before' } as const;
  expect(driven.say({ ...action, atMs: driven.atMs })).toEqual(['APPROVAL_VOID']);
});

test('given a run with --on-hold fail, when a gate is rejected, then the run fails and publishes nothing', () => {
  const driven = atGate({}, { onFailure: 'fail' });
  driven.opened('gates/ship', SEALED);
  driven.atGate({ ...aYes(), action: 'reject', reason: 'no' } as GateAction, 'kim');
  expect(driven.done('report')).toEqual(['end failed']);
  expect(driven.states()).toMatchObject({ 'gates/ship': 'failed', publish: 'skipped' });
});

test('given a gate that waits, when the run is cancelled, then the gate is cancelled', () => {
  const driven = atGate();
  driven.opened('gates/ship', SEALED);
  driven.cancel();
  expect(driven.states()).toMatchObject({ 'gates/ship': 'cancelled', publish: 'cancelled' });
});

test('given a gate that is being opened, when the run is cancelled, then the gate is cancelled once the opening returns', () => {
  const driven = atGate();
  driven.cancel();
  driven.opened('gates/ship', SEALED);
  expect(driven.states()['gates/ship']).toBe('cancelled');
});

test.each([
  ['an unknown gate', aYes({ gate: 'shop' }), 'GATE_UNKNOWN'],
  ['a gate that was not reached', aYes(), 'GATE_NOT_WAITING'],
])('given an action for %s, then it is refused', (_, action, code) => {
  const driven = atGate();
  expect(driven.atGate(action, 'kim')).toEqual([code]);
  expect(driven.scheduler.answers.refusal(action)).toMatchObject({ code });
});

test('given approvals of other bytes, then the gate reports them as void', () => {
  const gate = aGate({ void: [{ by: 'kim', manifest: OTHER, run: 'r' }] });
  expect(whyShut(gateStatus(aRule(), gate, 5000))).toBe(
    '0 of 1 approvals; void: kim approved 0b0b0b0b0b0b, this is 5e5e5e5e5e5e',
  );
});

test('given a gate that waits only for steps to end, when the run is cancelled, then approvals are refused', () => {
  const steps = [{ id: 'a' }, { id: 'gates/ship', kind: 'passGate', gate: aRule(), after: [0] }] as const;
  const driven = new Driven(aSkeleton(steps), { onFailure: 'hold' });
  driven.next();
  driven.done('a');
  driven.opened('gates/ship', SEALED);
  expect(driven.states()).toMatchObject({ 'gates/ship': 'at gate' });
  expect(driven.cancel()).toContain('end cancelled');
  expect(driven.states()).toMatchObject({ 'gates/ship': 'cancelled' });
});
