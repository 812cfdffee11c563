/** @needs ssh */
import { sha256 } from '../../../src/activities/sha256.js';
import { digestOf } from '../../../src/model/digest.js';
import { readKey } from '../../../src/activities/gates/keys.js';
import { createOpenGate } from '../../../src/activities/gates/open-gate.js';
import { createPassGate } from '../../../src/activities/gates/pass-gate.js';
import { createSignatures, sign } from '../../../src/adapters/ssh/signatures.js';
import { once } from '../../../src/adapters/facts/index.js';
import { SlipwayFailure } from '../../../src/model/failure.js';
import type { Digest } from '../../../src/model/digest.js';
import { approvalText, type ApprovalScope, type GateRules, type GateAction } from '../../../src/model/gate.js';
import { records } from '../../../src/model/run-folder.js';
import type { Audited } from '../../../src/model/actions.js';
import type { ChosenTests, Plan } from '../../../src/model/plan.js';
import { aRule, OTHER, SEALED } from '../../engine/a-gate.js';
import { aPlan, aResult, aStep, newHome, realSurroundings, runBody, type RunBody } from '../../support/run-body.js';
import { sshKey } from '../../support/ssh-keys.js';

const RUN = '0123456789abcdef';
const WORKFLOW = 'release/skiff/1.2.3';
const NONCE = '5eed'.repeat(8);
const TARGETS = [{ name: 'index', kind: 'python', address: 'https://index.example/', repository: null }] as const;
const signatures = createSignatures();
const codesOf = (promise: Promise<unknown>): Promise<readonly string[]> =>
  promise.then(
    () => [],
    (error: unknown) => (error instanceof SlipwayFailure ? error.problems.map(({ code }) => code) : [String(error)]),
  );

/** A release whose gate two people may pass, and a way to write into its audit. */
async function aHouse(rules: Partial<GateRules> = {}, rehearsal = false, more: Partial<Plan> = {}) {
  const home = await newHome();
  const { store } = realSurroundings(home);
  const keys = { kim: sshKey(home, 'kim'), lee: sshKey(home, 'lee') };
  const params = aRule({
    approvers: ['kim', 'lee'].map((name) => ({ group: 'core', key: `keys/${name}.pub` })),
    ...rules,
  });
  const bundle = [];
  for (const [name, key] of Object.entries(keys)) {
    const { digest, size } = await store.put(once(key.public));
    bundle.push({ path: `keys/${name}.pub`, digest, size, executable: false });
  }
  const step = aStep('passGate', params, { id: 'gates/ship', stage: 'gates', needs: ['seal/manifest'] });
  const target = { ...TARGETS[0], username: null, password: null };
  const publish = aStep('publishArtifacts', { target, of: [], tags: [] }, { id: 'publish/index', stage: 'publish' });
  const seal = aStep('sealManifest', {}, { id: 'seal/manifest', stage: 'seal' });
  const plan = aPlan({ bundle, steps: [seal, step, publish], profile: { name: 'live', rehearsal }, ...more });
  const about = {
    workflow: WORKFLOW,
    run: RUN,
    plan: digestOf(plan, sha256),
    profile: 'live',
    nonce: NONCE,
    targets: TARGETS,
  };
  const manifest = { artifacts: [], evidence: [], done: [], dropped: [], skipped: [] };
  const sealed = (await store.put(once(JSON.stringify(manifest)))).digest;
  let no = 0;
  const audit = async (
    by: 'kim' | 'lee',
    more: Partial<GateAction> = {},
    { ok = true, scope = {} }: { ok?: boolean; scope?: Partial<ApprovalScope> } = {},
  ): Promise<void> => {
    const action = { action: 'approve', gate: 'ship', manifest: sealed, by, ...more } as GateAction;
    const signature = await sign(approvalText(action, { ...about, ...scope }), keys[by]);
    const answer = { ok: true, did: '', steps: [] } as const;
    const sent: Audited = {
      no: ++no,
      at: 1,
      sent: { ...action, signature },
      answer: ok ? answer : { ok, problem: { code: 'NO', class: 'denied', message: '', next: '' } },
    };
    await store.create(records.audit(RUN, no), sent);
  };
  const inputs = [aResult(seal, { facts: { manifest: sealed } })];
  const openings = { ship: NONCE };
  const pass = (more: RunBody = {}) =>
    runBody(createPassGate({ signatures }), step, { home, plan, inputs, openings, ...more });
  const ports = { store, planOf: () => Promise.resolve(plan), resolve: (address: string) => address };
  const open = async (left: object, recorded?: Digest) => {
    const { digest } = await store.put(once(JSON.stringify({ ...manifest, ...left })));
    await store.create(records.result(RUN, seal.id), aResult(seal, { facts: { manifest: recorded ?? digest } }));
    return createOpenGate(ports)({ plan: SEALED, step: step.id, run: RUN, workflowId: WORKFLOW, sealed: digest });
  };
  return { audit, pass, open, store, plan, sealed };
}

test('given approvals in the audit, when the gate passes, then it verifies their signatures itself', async () => {
  const { audit, pass, sealed } = await aHouse({ quorum: 2 });
  await audit('kim');
  expect(await codesOf(pass())).toEqual(['GATE_NOT_APPROVED']);
  await audit('kim', { reason: 'again' });
  await audit('lee', { manifest: OTHER });
  await audit('lee', {}, { ok: false });
  expect(await codesOf(pass())).toEqual(['GATE_NOT_APPROVED']);
  await audit('lee');
  const { made } = await pass();
  expect(made.note).toBe('approved by kim (core), lee (core)');
  expect(made.facts).toMatchObject({ manifest: sealed, approvals: [{ by: 'kim' }, { by: 'lee' }] });
});

test('given a forged audit record, then the gate does not pass', async () => {
  const { pass, store, sealed } = await aHouse();
  const sent = { action: 'approve', gate: 'ship', manifest: sealed, by: 'kim', signature: 'made up' } as const;
  const forged: Audited = { no: 1, at: 1, sent, answer: { ok: true, did: '', steps: [] } };
  await store.create(records.audit(RUN, 1), forged);
  expect(await codesOf(pass())).toEqual(['GATE_NOT_APPROVED']);
});

test('given an approval from before a rejection, then it no longer counts', async () => {
  const { audit, pass } = await aHouse();
  await audit('kim');
  await audit('lee', { action: 'reject', reason: 'typo' } as never);
  expect(await codesOf(pass())).toEqual(['GATE_NOT_APPROVED']);
});

test.each<[string, Partial<ApprovalScope>]>([
  ['profile', { profile: 'staging' }],
  ['plan', { plan: `sha256:${'0'.repeat(64)}` as const }],
  ['target address', { targets: [{ ...TARGETS[0], address: 'https://elsewhere.example/' }] }],
  ['set of targets', { targets: [] }],
  ['run', { run: 'fedcba9876543210' }],
  ['workflow', { workflow: 'release/skiff/1.2.2' }],
  ['opening of the gate', { nonce: 'f00d'.repeat(8) }],
])('given an approval for another %s, then the gate does not pass', async (_, scope) => {
  const { audit, pass } = await aHouse();
  await audit('kim', {}, { scope });
  expect(await codesOf(pass())).toEqual(['GATE_NOT_APPROVED']);
});

test('given a seal record that names another manifest, then the gate stays closed', async () => {
  const { open, pass, audit, sealed } = await aHouse();
  expect(await codesOf(open({}, OTHER))).toEqual(['SEAL_DIFFERS']);
  await audit('kim');
  const swapped = aResult({ id: 'seal/manifest', kind: 'sealManifest' }, { facts: { manifest: OTHER } });
  expect(await codesOf(pass({ inputs: [swapped], sealedAs: sealed }))).toEqual(['SEAL_DIFFERS']);
});

test('given a rehearsal, then the gate passes with a note; a soak time that is over needs no approvals', async () => {
  const rehearsal = await aHouse({ quorum: 2, soakMs: 120_000 }, true);
  expect((await rehearsal.pass()).made.note).toBe(
    'passed without a wait: a rehearsal; live it takes 2 approvals and 2 min',
  );
  const soak = await aHouse({ quorum: 0, approvers: [], soakMs: 120_000 });
  expect((await soak.pass()).made.note).toBe('its time is over');
});

test.each([
  ['sealed', []],
  ['passed', ['TESTS_LEFT_OUT']],
] as const)('given a dropped test and `tests: %s`, then the gate opens or is refused', async (tests, codes) => {
  const { open } = await aHouse({ tests });
  const manifest = { dropped: [{ id: 'tests/gpu', because: 'no gpu' }], skipped: [] };
  expect(await codesOf(open(manifest))).toEqual(codes);
});

const chosenBy = (tests: ChosenTests, counts: Record<string, number>): Partial<Plan> => ({
  given: { tests },
  imports: { facts: OTHER, of: [{ id: 'tests/nightly', from: 'ray-tests', entries: 1, counts, notices: [] }] },
});

test.each<[string, Partial<Plan>]>([
  ['is assumed done', { assumed: [{ id: 'tests/gpu', because: '--only does not name it', neededBy: ['steps/x'] }] }],
  [
    'is left out by --skip, and nothing needs it',
    { assumed: [{ id: 'tests/gpu', because: '--skip names it', neededBy: [] }] },
  ],
  ['may be left out by --only of an earlier version', { given: { tests: { only: ['tests/cpu'] } } }],
  ['is left out by --where', chosenBy({ where: ['team:core'] }, { 'left out by the filters': 3 })],
  ['is left out by --frequency', chosenBy({ frequency: 'weekly' }, { 'left out by the frequency weekly': 1 })],
])('given a gate with `tests: passed`, when a test %s, then the gate stays shut', async (_, more) => {
  const { open } = await aHouse({ tests: 'passed' }, false, more);
  expect(await codesOf(open({ dropped: [], skipped: [] }))).toEqual(['TESTS_LEFT_OUT']);
});

test.each<[string, Partial<Plan>]>([
  ['`where` of the file leaves tests out', chosenBy({}, { 'left out by the filters': 3 })],
  ['--where leaves none out', chosenBy({ where: ['team:core'] }, { taken: 3 })],
])('given a gate with `tests: passed`, when %s, then it opens', async (_, more) => {
  const { open } = await aHouse({ tests: 'passed' }, false, more);
  expect(await codesOf(open({ dropped: [], skipped: [] }))).toEqual([]);
});

test('given a gate with `tests: passed`, when steps alone are left out, then it opens', async () => {
  const assumed = [{ id: 'steps/chart', because: '--skip names it', neededBy: [] }];
  const { open } = await aHouse({ tests: 'passed' }, false, { assumed, given: { only: ['tests/cpu'] } });
  expect(await codesOf(open({ dropped: [], skipped: [] }))).toEqual([]);
});

test.each(['', 'hello', '-----BEGIN OPENSSH PRIVATE KEY-----\nabc', 'ssh-ed25519 not/base64!'])(
  'given a key file with %j, then it is refused when the gate is reached',
  (text) => {
    expect(() => readKey(text, 'core', 'keys/a.pub')).toThrow(/keys\/a\.pub is not an OpenSSH public key/);
  },
);
