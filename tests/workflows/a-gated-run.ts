import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createOpenGate } from '../../src/activities/gates/open-gate.js';
import { createPassGate } from '../../src/activities/gates/pass-gate.js';
import { createVerifyApprovals } from '../../src/activities/gates/vet-actions.js';
import { createKeepAudit } from '../../src/activities/report/keep-status.js';
import { createPerform } from '../../src/activities/step/perform.js';
import { createPlans } from '../../src/activities/step/inputs.js';
import { once } from '../../src/adapters/facts/index.js';
import { createSignatures, sign } from '../../src/adapters/ssh/signatures.js';
import type { Digest } from '../../src/model/digest.js';
import {
  approvalText,
  type ApprovalScope,
  type GateRules,
  type GateStatus,
  type GateAction,
} from '../../src/model/gate.js';
import { NEWEST_ENGINE } from '../../src/model/engines.js';
import { canonical } from '../../src/model/json.js';
import type { RunStatus } from '../../src/model/messages.js';
import type { Skeleton } from '../../src/model/plan.js';
import { records } from '../../src/model/run-folder.js';
import type { Audited, ActionAnswer } from '../../src/model/actions.js';
import { aRule } from '../engine/a-gate.js';
import { aSkeleton } from '../engine/a-skeleton.js';
import { newHome, realSurroundings } from '../support/run-body.js';
import { sshKey, type SshKey } from '../support/ssh-keys.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../temporal-env.js';
import { ending, fakeActivities, type FakeStep } from './fake-activities.js';
import { statusOf } from '../support/ask-run.js';

let env: TestWorkflowEnvironment;
let bundle: { code: string };
export let around: ReturnType<typeof realSurroundings>;
let keys: Readonly<Record<'kim' | 'lee' | 'stranger', SshKey>>;
/** For suites that play gates with real signatures on a real server: called once at their top. */
export function playGates(): void {
  beforeAll(async () => {
    const home = await newHome();
    around = realSurroundings(home);
    keys = { kim: sshKey(home, 'kim'), lee: sshKey(home, 'lee', 'ecdsa'), stranger: sshKey(home, 'stranger') };
    [env, bundle] = await Promise.all([startTemporal(), bundleWorkflows()]);
  });
  afterAll(() => env.teardown());
}

const put = async (text: string): Promise<Digest> => (await around.store.put(once(text))).digest;

const INDEX = {
  name: 'index',
  kind: 'python',
  address: 'https://index.example/',
  repository: null,
  username: null,
  password: null,
};

/** A release with real keys in its bundle, as its worker's store holds it. */
export async function aRelease(version: string, rules: Partial<GateRules>): Promise<Skeleton> {
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
      {
        ...common,
        id: 'publish/index',
        kind: 'publishArtifacts',
        stage: 'publish',
        needs: ['gates/ship'],
        params: { target: INDEX, of: [], tags: [] },
      },
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
export const sealing =
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

export function workerOf(skeleton: Skeleton, step: FakeStep, options = {}) {
  const { store } = around;
  const planOf = createPlans(store, around.signatures);
  const signatures = createSignatures();
  const gates = { store, planOf, resolve: (address: string) => address };
  const activities = {
    ...fakeActivities(() => skeleton, step),
    keepAudit: createKeepAudit(store),
    openGate: createOpenGate(gates),
    verifyApprovals: createVerifyApprovals({ ...gates, signatures }),
    passGate: createPerform(around)(createPassGate({ signatures })),
  };
  return makeWorker(env, bundle, activities, options);
}

export const start = (skeleton: Skeleton, by?: string): Promise<WorkflowHandle> =>
  env.client.workflow.start('release', {
    workflowId: `release/thing/${skeleton.version}`,
    taskQueue: 'control',
    args: [{ file: 'slipway.yaml', engine: NEWEST_ENGINE, ...(by !== undefined && { by }) }],
  });

export async function until(handle: WorkflowHandle, state: RunStatus['state']): Promise<RunStatus> {
  for (;;) {
    const status = await statusOf(handle);
    if (status.state === state) return status;
    if (status.state === 'ended' || status.state === 'held')
      throw new Error(`ended instead: ${JSON.stringify(status)}`);
  }
}
/** How it ended; a step that is held instead is told, not waited for. */
export async function endOf(handle: WorkflowHandle): Promise<RunStatus> {
  for (;;) {
    const status = await statusOf(handle);
    if (status.state === 'held') throw new Error(`held instead: ${JSON.stringify(status)}`);
    if (status.state === 'ended') return status;
  }
}
export const gateOf = ({ steps }: RunStatus): GateStatus => steps.find(({ id }) => id === 'gates/ship')!.gate!;

/** Returns an action for the gate, signed as the command line signs it. */
export async function said(
  status: RunStatus,
  by: keyof typeof keys,
  more: Partial<GateAction> = {},
  scope: Partial<ApprovalScope> = {},
): Promise<GateAction> {
  const expires = new Date(Date.now() + 60_000).toISOString();
  const action = {
    action: 'approve',
    gate: 'ship',
    manifest: gateOf(status).manifest,
    by,
    expires,
    ...more,
  } as GateAction;
  const { nonce, targets } = gateOf(status);
  const about = { workflow: status.workflowId, run: status.run, plan: status.plan!, profile: 'live', nonce, targets };
  const text = approvalText(action, { ...about, ...scope });
  return { ...action, signature: await sign(text, keys[by]) };
}
export const send = (handle: WorkflowHandle, action: unknown): Promise<ActionAnswer> =>
  handle.executeUpdate<ActionAnswer, [unknown]>('send', { args: [action] });
export const codeOf = (answer: ActionAnswer): string => (answer.ok ? 'ok' : answer.problem.code);

export async function auditOf(run: string): Promise<readonly Audited[]> {
  const names = await around.store.list(records.audit(run));
  return (await Promise.all(names.map((name) => around.store.read<Audited>(name)))).filter((action) => action !== null);
}
