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
  ['of another manifest, by a stranger', {}, { manifest: OTHER }, { ok: false, problem: aProblem() }, 'APPROVAL_VOID'],
  ['by a stranger', {}, {}, { ok: false, problem: aProblem({ code: 'KEY_NOT_LISTED' }) }, 'KEY_NOT_LISTED'],
  ['without a signature', {}, {}, UNSIGNED, 'APPROVAL_NOT_SIGNED'],
  ['without a signature where that is enough', { signed: 'optional' }, {}, UNSIGNED, 'counts'],
  ['by nobody', { signed: 'optional' }, { by: undefined }, UNSIGNED, 'APPROVAL_BY_NOBODY'],
  ['by a key alone', {}, { by: undefined }, bySignature('kim'), 'counts'],
  ['that has ended', {}, { expires: '1970-01-01T00:00:05Z' }, bySignature('kim'), 'APPROVAL_EXPIRED'],
  ['that ends when nobody can say', {}, { expires: 'tomorrow' }, bySignature('kim'), 'ACTION_NOT_UNDERSTOOD'],
  ['by who started it', { self: false }, {}, bySignature('kim'), 'OWN_APPROVAL'],
  ['by who started it, under another name', { self: false }, { by: 'x' }, bySignature('kim'), 'OWN_APPROVAL'],
  ['by who did not start it', { self: false }, { by: 'lee' }, bySignature('lee'), 'counts'],
  [
    'a no by who started it',
    { self: false },
    { action: 'reject', reason: 'bad' } as never,
    bySignature('kim'),
    'counts',
  ],
])('an approval %s', (_, rules, action, vetted, code) => {
  expect(codeOf(judge(aRule(rules), aGate(), { ...aYes(), ...action } as GateAction, vetted, NOW))).toBe(code);
});

test('where nobody said who started the run, who did not cannot be told', () => {
  const said = judge(aRule({ self: false }), aGate(), aYes(), bySignature('lee'), { nowMs: 1, startedBy: null });
  expect(codeOf(said)).toBe('STARTER_UNKNOWN');
});

test('a void approval names both digests', () => {
  const said = judge(aRule(), aGate(), aYes({ manifest: OTHER }), bySignature('kim'), NOW);
  expect('message' in said && said.message).toContain(OTHER);
  expect('message' in said && said.message).toContain(SEALED);
});

test('an approval counts no longer than the release file lets it, whatever it says of itself', () => {
  const far = aYes({ expires: '2099-01-01T00:00:00Z' });
  expect(judge(aRule(), aGate(), far, bySignature('kim'), NOW)).toMatchObject({ untilMs: 5000 + 3_600_000 });
  const near = aYes({ expires: '1970-01-01T00:00:06Z' });
  expect(judge(aRule(), aGate(), near, bySignature('kim'), NOW)).toMatchObject({ untilMs: 6000 });
});

test('two keys are two people, also where both carry the same name; one key is one, whatever it is called', () => {
  const withKey = (by: string, fingerprint: string): Approval => ({
    ...anApproval(by),
    signer: { ...aSigner('kim'), fingerprint },
  });
  const count = (...said: readonly Approval[]) => counting(said.reduce(approved, aGate()), 0).length;
  expect(count(withKey('kim', 'SHA256:one'), withKey('kim', 'SHA256:two'))).toBe(2);
  expect(count(withKey('kim', 'SHA256:one'), withKey('lee', 'SHA256:one'))).toBe(1);
});

test('an unsigned action takes nothing from a signed one', () => {
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

test('a gate is asked about, waits, and is passed by a yes', () => {
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

test('a rehearsal starts what passes the gate at once; told to stop, it waits', () => {
  const driven = new Driven(GRAPH({}, true));
  driven.next();
  expect(driven.done('seal')).toEqual(['start gates/ship']);
  const told = new Driven(GRAPH({}, true), { stopAtGates: true });
  told.next();
  expect(told.done('seal')).toEqual(['open gates/ship']);
});

test('a quorum of two takes two keys, and the same key twice is one', () => {
  const driven = atGate({ quorum: 2 });
  driven.opened('gates/ship', SEALED);
  expect(driven.atGate(aYes(), 'kim')[0]).toContain('1 of 2');
  expect(driven.atGate(aYes({ by: 'other' }), 'kim')[0]).toContain('1 of 2');
  expect(driven.states()['gates/ship']).toBe('at gate');
  expect(driven.atGate(aYes({ by: 'lee' }), 'lee')).toContain('start gates/ship');
});

test('a yes ends to count while the quorum is not there', () => {
  const driven = atGate({ quorum: 2, expiresMs: 1500 });
  driven.opened('gates/ship', SEALED);
  expect(driven.atGate(aYes(), 'kim')).toContain('wake 1500');
  driven.atMs += 1500;
  driven.wake();
  expect(driven.atGate(aYes({ by: 'lee' }), 'lee')[0]).toContain('1 of 2');
});

test('a soak is a time; nobody need say anything', () => {
  const driven = atGate({ quorum: 0, soakMs: 7_200_000 });
  expect(driven.opened('gates/ship', SEALED)).toEqual(['wake 7200000']);
  expect(driven.scheduler.status()[1]!.because).toMatch(/^soaks until 1970-01-01T02:/);
  driven.atMs += 7_200_000;
  expect(driven.wake()).toContain('start gates/ship');
});

test('a yes before the soak ends waits for it', () => {
  const driven = atGate({ soakMs: 7_200_000 });
  driven.opened('gates/ship', SEALED);
  expect(driven.atGate(aYes(), 'kim')).not.toContain('start gates/ship');
  driven.atMs += 3_000_000;
  driven.wake();
  expect(driven.states()['gates/ship']).toBe('at gate');
});

test('a no holds the gate with its reason, and a retry asks again from nothing', () => {
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

test('a signed action counts once: nobody says it again for another after a no', () => {
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

test('given a yes from before a rejection, when an earlier step is retried with the gate behind it, then it counts no more', () => {
  const driven = atGate({ quorum: 2 });
  driven.opened('gates/ship', SEALED);
  expect(driven.atGate(aYes({ signature: 'kims' }), 'kim')[0]).toContain('1 of 2');
  driven.atGate({ ...aYes({ by: 'lee' }), action: 'reject', reason: 'no' } as GateAction, 'lee');
  driven.action({ action: 'retry', from: 'seal' });
  driven.done('seal');
  driven.opened('gates/ship', SEALED);
  expect(driven.atGate(aYes({ by: 'lee', signature: 'lees' }), 'lee')[0]).toContain('1 of 2');
});

test('given a gate that is asked anew, then it has another nonce', () => {
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

test('behind the seal a step is started with the digest and the nonces of the gates', () => {
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

test('an action that was looked into for an opening before does not count at the next one', () => {
  const driven = atGate();
  driven.opened('gates/ship', SEALED);
  const action = { what: 'gate action', action: aYes(), vetted: bySignature('kim'), nonce: 'of before' } as const;
  expect(driven.say({ ...action, atMs: driven.atMs })).toEqual(['APPROVAL_VOID']);
});

test('a no with --on-hold fail ends the run, and nothing is published', () => {
  const driven = atGate({}, { onFailure: 'fail' });
  driven.opened('gates/ship', SEALED);
  driven.atGate({ ...aYes(), action: 'reject', reason: 'no' } as GateAction, 'kim');
  expect(driven.done('report')).toEqual(['end failed']);
  expect(driven.states()).toMatchObject({ 'gates/ship': 'failed', publish: 'skipped' });
});

test('a cancel ends a gate that waits', () => {
  const driven = atGate();
  driven.opened('gates/ship', SEALED);
  driven.cancel();
  expect(driven.states()).toMatchObject({ 'gates/ship': 'cancelled', publish: 'cancelled' });
});

test('a cancel while the gate is asked about ends it when the answer comes', () => {
  const driven = atGate();
  driven.cancel();
  driven.opened('gates/ship', SEALED);
  expect(driven.states()['gates/ship']).toBe('cancelled');
});

test.each([
  ['a gate that nobody knows', aYes({ gate: 'shop' }), 'GATE_UNKNOWN'],
  ['a gate that was not reached', aYes(), 'GATE_NOT_WAITING'],
])('an action at %s is refused', (_, action, code) => {
  const driven = atGate();
  expect(driven.atGate(action, 'kim')).toEqual([code]);
  expect(driven.scheduler.answers.refusal(action)).toMatchObject({ code });
});

test('the gate tells of yeses to other bytes', () => {
  const gate = aGate({ void: [{ by: 'kim', manifest: OTHER, run: 'r' }] });
  expect(whyShut(gateStatus(aRule(), gate, 5000))).toBe(
    '0 of 1 approvals; void: kim approved 0b0b0b0b0b0b, this is 5e5e5e5e5e5e',
  );
});

test('a cancelled run ends a gate that only waits for others to end: no approval is heard any more', () => {
  const steps = [{ id: 'a' }, { id: 'gates/ship', kind: 'passGate', gate: aRule(), after: [0] }] as const;
  const driven = new Driven(aSkeleton(steps), { onFailure: 'hold' });
  driven.next();
  driven.done('a');
  driven.opened('gates/ship', SEALED);
  expect(driven.states()).toMatchObject({ 'gates/ship': 'at gate' });
  expect(driven.cancel()).toContain('end cancelled');
  expect(driven.states()).toMatchObject({ 'gates/ship': 'cancelled' });
});
