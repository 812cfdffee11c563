/** @needs temporal ssh */
import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createOpenGate } from '../../src/activities/gates/open-gate.js';
import { createPassGate } from '../../src/activities/gates/pass-gate.js';
import { createVetWords } from '../../src/activities/gates/vet-words.js';
import { createKeepAudit } from '../../src/activities/report/keep-audit.js';
import { createPerform } from '../../src/activities/step/perform.js';
import { createPlans } from '../../src/activities/step/plans.js';
import { once } from '../../src/adapters/facts/index.js';
import { sign } from '../../src/adapters/ssh/sign.js';
import { createSignatures } from '../../src/adapters/ssh/signatures.js';
import type { Digest } from '../../src/model/digest.js';
import { approvalText, type GateRules, type GateStatus, type GateWord } from '../../src/model/gate.js';
import { canonical } from '../../src/model/json.js';
import { STATUS_QUERY, type RunStatus } from '../../src/model/messages.js';
import type { Skeleton } from '../../src/model/plan.js';
import { records } from '../../src/model/run-folder.js';
import type { Audited, WordAnswer } from '../../src/model/words.js';
import { aRule } from '../engine/a-gate.js';
import { aSkeleton } from '../engine/a-skeleton.js';
import { newHome, realSurroundings } from '../support/run-body.js';
import { sshKey, type SshKey } from '../support/ssh-keys.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { ending, fakeActivities, type FakeStep } from './fake-activities.js';

let env: TestWorkflowEnvironment;
let bundle: { code: string };
let around: ReturnType<typeof realSurroundings>;
let keys: Readonly<Record<'kim' | 'lee' | 'stranger', SshKey>>;
beforeAll(async () => {
  const home = await newHome();
  around = realSurroundings(home);
  keys = { kim: sshKey(home, 'kim'), lee: sshKey(home, 'lee'), stranger: sshKey(home, 'stranger') };
  [env, bundle] = await Promise.all([startTemporal(), bundleWorkflows()]);
});
afterAll(() => env.teardown());

const put = async (text: string): Promise<Digest> => (await around.store.put(once(text))).digest;

/** A release with real keys in its bundle, as its worker's store holds it. */
async function aRelease(version: string, rules: Partial<GateRules>): Promise<Skeleton> {
  const gate = aRule({
    approvers: ['kim', 'lee'].map((name) => ({ group: 'core', key: `keys/${name}.pub` })),
    ...rules,
  });
  const files = (['kim', 'lee'] as const).map(async (name) => ({
    path: `keys/${name}.pub`,
    digest: await put(keys[name].public),
    size: keys[name].public.length,
    executable: false,
  }));
  const common = { on: 'control', axes: {}, wants: [], after: [], files: [], toolchain: null, limitMs: 60_000 };
  const plan = {
    slipway: 1,
    release: { name: 'thing', version },
    source: { kind: 'sdist', name: 'thing', version, sha256: 'a'.repeat(64), branch: null },
    profile: { name: 'live', rehearsal: false },
    bundle: await Promise.all(files),
    steps: [
      { ...common, id: 'seal/manifest', kind: 'sealManifest', stage: 'seal', needs: [], params: {} },
      { ...common, id: 'gates/ship', kind: 'passGate', stage: 'gates', needs: ['seal/manifest'], params: gate },
    ],
    dropped: [],
  };
  return aSkeleton(
    [
      { id: 'seal/manifest', kind: 'sealManifest', stage: 'seal' },
      { id: 'gates/ship', kind: 'passGate', stage: 'gates', needs: [0], gate, limitMs: 60_000 },
      { id: 'publish/index', kind: 'publishArtifacts', stage: 'publish', needs: [0, 1] },
    ],
    { version, plan: await put(canonical(plan)) },
  );
}

/** Seals bytes that hold `content`; every other step is done at once. */
const sealing =
  (content: string, done: string[]): FakeStep =>
  async ({ run, step }) => {
    done.push(step);
    if (step !== 'seal/manifest') return ending;
    const manifest = await put(canonical({ content, artifacts: [], evidence: [], done: [], dropped: [], skipped: [] }));
    const made = { run, attempt: 1, at: '', ms: 1, worker: 'fake' };
    const result = {
      step,
      kind: 'sealManifest',
      key: manifest,
      artifacts: [],
      facts: { manifest },
      findings: [],
      note: '',
      made,
    };
    await around.store.create(records.result(run, step), result);
    return { ...ending, sealed: manifest };
  };

function workerOf(skeleton: Skeleton, step: FakeStep, options = {}) {
  const { store } = around;
  const planOf = createPlans(store, around.signatures);
  const signatures = createSignatures();
  const gates = { store, planOf, resolve: (address: string) => address };
  const activities = {
    ...fakeActivities(() => skeleton, step),
    keepAudit: createKeepAudit(store),
    openGate: createOpenGate(gates),
    vetWords: createVetWords({ ...gates, signatures }),
    passGate: createPerform(around)(createPassGate({ signatures })),
  };
  return makeWorker(env, bundle, activities, options);
}

const start = (skeleton: Skeleton, by?: string): Promise<WorkflowHandle> =>
  env.client.workflow.start('release', {
    workflowId: `release/thing/${skeleton.version}`,
    taskQueue: 'control',
    args: [{ file: 'slipway.yaml', ...(by !== undefined && { by }) }],
  });

async function until(handle: WorkflowHandle, state: RunStatus['state']): Promise<RunStatus> {
  for (;;) {
    const status = await handle.query<RunStatus>(STATUS_QUERY);
    if (status.state === state) return status;
    if (status.state === 'ended' || status.state === 'held')
      throw new Error(`ended instead: ${JSON.stringify(status)}`);
  }
}
/** How it ended; a step that is held instead is told, not waited for. */
async function endOf(handle: WorkflowHandle): Promise<RunStatus> {
  for (;;) {
    const status = await handle.query<RunStatus>(STATUS_QUERY);
    if (status.state === 'held') throw new Error(`held instead: ${JSON.stringify(status)}`);
    if (status.state === 'ended') return status;
  }
}
const gateOf = ({ steps }: RunStatus): GateStatus => steps.find(({ id }) => id === 'gates/ship')!.gate!;

/** What a person at the gate says, signed as the command line does it. */
async function said(status: RunStatus, by: keyof typeof keys, more: Partial<GateWord> = {}): Promise<GateWord> {
  const expires = new Date(Date.now() + 60_000).toISOString();
  const word = { word: 'approve', gate: 'ship', manifest: gateOf(status).manifest, by, expires, ...more } as GateWord;
  const { nonce, targets } = gateOf(status);
  const about = { workflow: status.workflowId, run: status.run, profile: 'live', nonce, targets };
  const text = approvalText(word, about);
  return { ...word, signature: await sign(text, keys[by]) };
}
const say = (handle: WorkflowHandle, word: unknown): Promise<WordAnswer> =>
  handle.executeUpdate<WordAnswer, [unknown]>('say', { args: [word] });
const codeOf = (answer: WordAnswer): string => (answer.ok ? 'ok' : answer.problem.code);

async function auditOf(run: string): Promise<readonly Audited[]> {
  const names = await around.store.list(records.audit(run));
  return (await Promise.all(names.map((name) => around.store.read<Audited>(name)))).filter((word) => word !== null);
}

test('a gate outlives its worker, and opens for a signed yes', async () => {
  const skeleton = await aRelease('1.0', {});
  const done: string[] = [];
  const first = await workerOf(skeleton, sealing('A', done));
  const handle = await first.runUntil(async () => {
    const run = await start(skeleton);
    await until(run, 'at gate');
    return run;
  });
  const second = await workerOf(skeleton, sealing('A', done), { maxCachedWorkflows: 0 });
  await second.runUntil(async () => {
    const status = await until(handle, 'at gate');
    expect(done).toEqual(['seal/manifest']);
    expect(await say(handle, await said(status, 'kim'))).toMatchObject({ ok: true, steps: ['gates/ship'] });
    const last = await endOf(handle);
    expect(last.verdict?.verdict).toBe('released');
    expect(last.steps[1]).toMatchObject({ state: 'done', attempt: 1, note: 'approved by kim (core)' });
    expect(done).toEqual(['seal/manifest', 'publish/index']);
    const result = await around.store.read<{ facts: unknown }>(records.result(status.run, 'gates/ship'));
    expect(result?.facts).toMatchObject({
      manifest: gateOf(status).manifest,
      approvals: [{ by: 'kim', group: 'core' }],
    });
  });
});

test('what does not count is refused with a code, a no holds, and all of it stands in the audit', async () => {
  const skeleton = await aRelease('1.1', { self: false });
  const done: string[] = [];
  const worker = await workerOf(skeleton, sealing('A', done));
  await worker.runUntil(async () => {
    const handle = await start(skeleton, 'lee');
    const status = await until(handle, 'at gate');
    const other = `sha256:${'0b'.repeat(32)}`;
    const good = await said(status, 'kim');
    const words: readonly (readonly [unknown, string])[] = [
      [await said(status, 'stranger'), 'KEY_NOT_LISTED'],
      [await said(status, 'stranger', { by: 'kim' }), 'KEY_NOT_LISTED'],
      [await said(status, 'lee'), 'OWN_APPROVAL'],
      [await said(status, 'lee', { by: 'ann' }), 'OWN_APPROVAL'],
      [{ ...good, signature: undefined }, 'APPROVAL_NOT_SIGNED'],
      [{ ...good, signature: 'nonsense' }, 'SIGNATURE_BAD'],
      [{ ...good, by: 'ann' }, 'SIGNATURE_BAD'],
      [{ ...good, expires: new Date(Date.now() + 9e9).toISOString() }, 'SIGNATURE_BAD'],
      [{ ...good, word: 'reject', reason: 'no' }, 'SIGNATURE_BAD'],
      [await said(status, 'kim', { manifest: other }), 'APPROVAL_VOID'],
      [{ ...good, gate: '$(id)' }, 'GATE_UNKNOWN'],
      [await said(status, 'kim', { expires: '2001-01-01T00:00:00Z' }), 'APPROVAL_EXPIRED'],
      [await said(status, 'kim', { word: 'reject', reason: 'wrong notes' } as never), 'ok'],
      [good, 'GATE_NOT_WAITING'],
    ];
    for (const [word, code] of words) expect([code, codeOf(await say(handle, word))]).toEqual([code, code]);
    const held = await until(handle, 'held');
    expect(held.steps[1]).toMatchObject({ state: 'held', problems: [{ code: 'GATE_REJECTED' }] });
    expect(done).toEqual(['seal/manifest']);
    await say(handle, { word: 'retry', step: 'gates/ship' });
    await say(handle, await said(await until(handle, 'at gate'), 'kim', { reason: 'notes mended' }));
    await endOf(handle);
    await handle.result();
    const audit = await auditOf(status.run);
    expect(audit.map(({ answer }) => codeOf(answer))).toEqual([...words.map(([, code]) => code), 'ok', 'ok']);
  });
});

test('a yes to other bytes in an earlier run is void, and the gate says why', async () => {
  const skeleton = await aRelease('1.2', { quorum: 2 });
  const first = await workerOf(skeleton, sealing('A', []));
  const before = await first.runUntil(async () => {
    const handle = await start(skeleton);
    const status = await until(handle, 'at gate');
    await say(handle, await said(status, 'kim'));
    expect(gateOf(await until(handle, 'at gate')).approvals).toMatchObject([{ by: 'kim', verified: true }]);
    await handle.signal('cancel', { reason: 'superseded' });
    await handle.result().catch(() => undefined);
    return { status, word: await said(status, 'lee') };
  });
  const second = await workerOf(skeleton, sealing('B', []));
  await second.runUntil(async () => {
    const handle = await start(skeleton);
    const status = await until(handle, 'at gate');
    expect(gateOf(status).manifest).not.toBe(gateOf(before.status).manifest);
    expect(gateOf(status)).toMatchObject({
      approvals: [],
      void: [{ by: 'kim', manifest: gateOf(before.status).manifest }],
    });
    expect(status.steps[1]!.because).toMatch(/void: kim approved [0-9a-f]{12}, this is [0-9a-f]{12}/);
    const answer = await say(handle, before.word);
    expect(answer).toMatchObject({ ok: false, problem: { code: 'APPROVAL_VOID' } });
    await handle.signal('cancel', {});
    await handle.result().catch(() => undefined);
  });
});

test('without a signature where that is enough: shown as unverified', async () => {
  const skeleton = await aRelease('1.3', { signed: 'optional', quorum: 2 });
  const worker = await workerOf(skeleton, sealing('A', []));
  await worker.runUntil(async () => {
    const handle = await start(skeleton);
    const { manifest } = gateOf(await until(handle, 'at gate'));
    await handle.signal('approve', { gate: 'ship', manifest, by: 'ann' });
    await say(handle, { word: 'note', reason: 'after it' });
    for (;;) {
      const { approvals } = gateOf(await until(handle, 'at gate'));
      if (approvals.length === 0) continue;
      expect(approvals).toMatchObject([{ by: 'ann', verified: false }]);
      break;
    }
    await say(handle, await said(await until(handle, 'at gate'), 'kim'));
    const status = await endOf(handle);
    expect(status.steps[1]!.note).toBe('approved by ann (unverified), kim (core)');
  });
});

test('a hundred forged approvals are a few activities, and each is refused', async () => {
  const skeleton = await aRelease('1.5', {});
  const worker = await workerOf(skeleton, sealing('A', []));
  await worker.runUntil(async () => {
    const handle = await start(skeleton);
    const status = await until(handle, 'at gate');
    const { manifest } = gateOf(status);
    const forged = { gate: 'ship', manifest, by: 'kim', signature: 'x'.repeat(3000) };
    await Promise.all(Array.from({ length: 100 }, () => handle.signal('approve', forged)));
    await say(handle, await said(status, 'kim'));
    await endOf(handle);
    await handle.result();
    const audit = await auditOf(status.run);
    expect(audit.map(({ answer }) => codeOf(answer)).sort()).toEqual([
      ...Array<string>(100).fill('SIGNATURE_BAD'),
      'ok',
    ]);
    const { events } = await handle.fetchHistory();
    const vetted = events!.filter(
      ({ activityTaskScheduledEventAttributes: asked }) => asked?.activityType?.name === 'vetWords',
    );
    expect(vetted.length).toBeLessThan(20);
  });
});

test('a soak is a timer of the run', async () => {
  const skeleton = await aRelease('1.4', { approvers: [], quorum: 0, soakMs: 500 });
  const worker = await workerOf(skeleton, sealing('A', []));
  await worker.runUntil(async () => {
    const handle = await start(skeleton);
    const status = await endOf(handle);
    expect(status.steps[1]!.note).toBe('its time is over');
    const { events } = await handle.fetchHistory();
    expect(events!.filter(({ timerFiredEventAttributes }) => timerFiredEventAttributes)).toHaveLength(1);
  });
});
