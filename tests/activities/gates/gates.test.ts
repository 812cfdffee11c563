/** @needs ssh */
import { readKey } from '../../../src/activities/gates/keys.js';
import { createOpenGate } from '../../../src/activities/gates/open-gate.js';
import { createPassGate } from '../../../src/activities/gates/pass-gate.js';
import { createSignatures } from '../../../src/adapters/ssh/signatures.js';
import { once } from '../../../src/adapters/facts/index.js';
import { sign } from '../../../src/adapters/ssh/sign.js';
import { SlipwayFailure } from '../../../src/model/failure.js';
import { approvalText, type GateRules, type GateWord } from '../../../src/model/gate.js';
import { records } from '../../../src/model/run-folder.js';
import type { Audited } from '../../../src/model/words.js';
import { aRule, OTHER, SEALED } from '../../engine/a-gate.js';
import { aPlan, aResult, aStep, newHome, realSurroundings, runBody } from '../../support/run-body.js';
import { sshKey } from '../../support/ssh-keys.js';

const RUN = '0123456789abcdef';
const signatures = createSignatures();
const codesOf = (promise: Promise<unknown>): Promise<readonly string[]> =>
  promise.then(
    () => [],
    (error: unknown) => (error instanceof SlipwayFailure ? error.problems.map(({ code }) => code) : [String(error)]),
  );

/** A release whose gate two people may pass, and a way to write into its audit. */
async function aHouse(rules: Partial<GateRules> = {}, rehearsal = false) {
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
  const seal = aStep('sealManifest', {}, { id: 'seal/manifest', stage: 'seal' });
  const plan = aPlan({ bundle, steps: [seal, step], profile: { name: 'live', rehearsal } });
  const workflow = `${rehearsal ? 'rehearsal' : 'release'}/skiff/1.2.3`;
  let no = 0;
  const audit = async (by: 'kim' | 'lee', more: Partial<GateWord> = {}, ok = true): Promise<void> => {
    const word = { word: 'approve', gate: 'ship', manifest: SEALED, by, ...more } as GateWord;
    const signature = await sign(approvalText(word, { workflow, run: RUN, profile: 'live' }), keys[by]);
    const answer = { ok: true, did: '', steps: [] } as const;
    const said: Audited = {
      no: ++no,
      at: 1,
      said: { ...word, signature },
      answer: ok ? answer : { ok, problem: { code: 'NO', class: 'denied', message: '', next: '' } },
    };
    await store.create(records.audit(RUN, no), said);
  };
  const inputs = [aResult(seal, { facts: { manifest: SEALED } })];
  const pass = () => runBody(createPassGate({ signatures }), step, { home, plan, inputs });
  const open = async (manifest: object) => {
    const sealed = (await store.put(once(JSON.stringify(manifest)))).digest;
    await store.create(records.result(RUN, seal.id), aResult(seal, { facts: { manifest: sealed } }));
    const opening = createOpenGate(store, () => Promise.resolve(plan));
    return opening({ plan: SEALED, step: step.id, run: RUN, workflowId: workflow });
  };
  return { audit, pass, open, store, plan };
}

test('what passes a gate looks into the signatures of the audit itself', async () => {
  const { audit, pass } = await aHouse({ quorum: 2 });
  await audit('kim');
  expect(await codesOf(pass())).toEqual(['GATE_NOT_APPROVED']);
  await audit('kim', { reason: 'again' });
  await audit('lee', { manifest: OTHER });
  await audit('lee', {}, false);
  expect(await codesOf(pass())).toEqual(['GATE_NOT_APPROVED']);
  await audit('lee');
  const { made } = await pass();
  expect(made.note).toBe('approved by kim (core), lee (core)');
  expect(made.facts).toMatchObject({ manifest: SEALED, approvals: [{ by: 'kim' }, { by: 'lee' }] });
});

test('an audit that was tampered with passes nothing', async () => {
  const { pass, store } = await aHouse();
  const said = { word: 'approve', gate: 'ship', manifest: SEALED, by: 'kim', signature: 'made up' } as const;
  const forged: Audited = { no: 1, at: 1, said, answer: { ok: true, did: '', steps: [] } };
  await store.create(records.audit(RUN, 1), forged);
  expect(await codesOf(pass())).toEqual(['GATE_NOT_APPROVED']);
});

test('what was said before a no counts no more', async () => {
  const { audit, pass } = await aHouse();
  await audit('kim');
  await audit('lee', { word: 'reject', reason: 'typo' } as never);
  expect(await codesOf(pass())).toEqual(['GATE_NOT_APPROVED']);
});

test('a rehearsal passes and says so; a soak that is over needs nobody', async () => {
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
] as const)('a test that was dropped, where `tests: %s`', async (tests, codes) => {
  const { open } = await aHouse({ tests });
  const manifest = { dropped: [{ id: 'tests/gpu', because: 'no gpu' }], skipped: [] };
  expect(await codesOf(open(manifest))).toEqual(codes);
});

test.each(['', 'hello', '-----BEGIN OPENSSH PRIVATE KEY-----\nabc', 'ssh-ed25519 not/base64!'])(
  'a file that is no public key is found when the gate is reached: %j',
  (text) => {
    expect(() => readKey(text, 'core', 'keys/a.pub')).toThrow(/keys\/a\.pub is not an OpenSSH public key/);
  },
);
