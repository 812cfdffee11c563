/** @long @needs temporal registries ssh */
import type { ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { readManifest } from '../../src/activities/read-text.js';
import { once } from '../../src/adapters/facts/index.js';
import { openHomeKeys, keysFolder } from '../../src/adapters/home-keys/open.js';
import { provedStore } from '../../src/adapters/home-keys/proved-store.js';
import { sign } from '../../src/adapters/ssh/signatures.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import type { Artifact } from '../../src/model/artifact.js';
import { hexOf, type Digest } from '../../src/model/digest.js';
import { approvalText, type GateAction } from '../../src/model/gate.js';
import { CONTROL, RELEASE_WORKFLOW, workflowIdOf, type StepId } from '../../src/model/ids.js';
import { canonical } from '../../src/model/json.js';
import { STATUS_QUERY, type ReleaseInput, type RunStatus, type StepStatus } from '../../src/model/messages.js';
import type { Result } from '../../src/model/result.js';
import { records } from '../../src/model/run-folder.js';
import { aCommitOf } from '../support/a-line-of-commits.js';
import { DEVPI_PASSWORD, startDevpi, type TestServer } from '../support/registries.js';
import { newHome } from '../support/run-body.js';
import { homeWithWorkflows } from '../support/shared-cache.js';
import { sshKey, type SshKey } from '../support/ssh-keys.js';
import { MAKE_WHEEL } from '../support/tiny-projects.js';
import { until } from '../support/until.js';
import { startWorkerProcess, untilServed } from '../support/worker-process.js';
import { startTemporal } from '../temporal-env.js';

let home = '';
let env: TestWorkflowEnvironment;
let devpi: TestServer;
let kim: SshKey;
const children: ChildProcess[] = [];

beforeAll(async () => {
  home = await homeWithWorkflows();
  kim = sshKey(home, 'kim');
  [env, devpi] = await Promise.all([startTemporal(), newHome().then((folder) => startDevpi(folder))]);
  const own = {
    ...{ PATH: process.env['PATH'], HOME: process.env['HOME'], SLIPWAY_HOME: home, SLIPWAY_ROOTS: tmpdir() },
    ...{ TEMPORAL_ADDRESS: env.address, DEVPI: DEVPI_PASSWORD },
  };
  for (const role of [['--workflows'], ['--queue', CONTROL], ['--queue', 'linux-x86_64']]) {
    children.push(startWorkerProcess(role, own));
  }
  await untilServed(env.connection, CONTROL, 'linux-x86_64');
});
afterAll(async () => {
  children.forEach((child) => child.kill('SIGKILL'));
  await devpi?.stop();
  await env?.teardown();
});

const fileOf = (name: string): string => `slipway: 1
release: { name: ${name}, version: '1.0' }
source: { git: .. }
platforms: [linux-x86_64]
pythons: [cp311]
wheels:
  ${name}: { platform: none, python: none, builder: command, files: [make-wheel.py], run: "python3 {files}/make-wheel.py {out} ${name} 1.0 'answer = 1'" }
gates:
  ship: { approvers: { core: [kim.pub] } }
publish:
  shelf: { kind: python, files: [wheels/${name}] }
`;

/** A release whose gate kim may open, published live to an index of this machine. */
async function aRun(name: string): Promise<Run> {
  const folder = await newHome();
  aCommitOf(folder, {
    'release/slipway.yaml': fileOf(name),
    'release/make-wheel.py': MAKE_WHEEL,
    'release/kim.pub': kim.public,
    'release/profiles/live.yaml': `rehearsal: false\ntargets:\n  shelf: { kind: python, address: '${devpi.address}', username: root, password: $DEVPI }\n`,
  });
  const input: ReleaseInput = { file: join(folder, 'release', 'slipway.yaml'), profile: 'live', onFailure: 'hold' };
  const workflowId = workflowIdOf({ name, version: '1.0', rehearsal: false });
  const handle = await env.client.workflow.start(RELEASE_WORKFLOW, { taskQueue: CONTROL, workflowId, args: [input] });
  return new Run(handle, name);
}

class Run {
  constructor(
    readonly handle: WorkflowHandle,
    readonly name: string,
  ) {}

  /** Resolves when the run is in this state. */
  async is(state: RunStatus['state']): Promise<RunStatus> {
    return until(async () => {
      const status = await this.handle.query<RunStatus>(STATUS_QUERY).catch(() => null);
      if (status?.state === 'ended') throw new Error(`ended instead: ${JSON.stringify(status)}`);
      return status?.state === state && status;
    });
  }

  async held(): Promise<StepStatus> {
    return (await this.is('held')).steps.find(({ state }) => state === 'held')!;
  }

  /** Kim looks at what waits at the gate, and signs that. */
  async approve(): Promise<unknown> {
    const status = await this.is('at gate');
    const { manifest, nonce, targets } = status.steps.find(({ id }) => id === 'gates/ship')!.gate!;
    const expires = new Date(Date.now() + 3_600_000).toISOString();
    const action: GateAction = { action: 'approve', gate: 'ship', manifest, by: 'kim', expires };
    const about = { workflow: status.workflowId, run: status.run, plan: status.plan!, profile: 'live', nonce, targets };
    const signature = await sign(approvalText(action, about), kim);
    return this.handle.executeUpdate('send', { args: [{ ...action, signature }] });
  }

  retry(from: StepId): Promise<unknown> {
    return this.handle.executeUpdate('send', { args: [{ action: 'retry', from }] });
  }
}

/** Digests that the index has of a project. */
async function onIndex(name: string): Promise<readonly string[]> {
  const page = await (await fetch(new URL(`+simple/${name}/`, devpi.address))).text();
  return [...page.matchAll(/#sha256=([0-9a-f]{64})/g)].map(([, hex]) => hex!);
}

/** A process with access to the store: bare, or one that also stole the keys of the home. */
class Attacker {
  readonly #bare = createDirectoryStore(join(home, 'store'));
  readonly #store: typeof this.bare;

  constructor(stolenKeys: boolean) {
    this.#store = stolenKeys ? provedStore(this.#bare, openHomeKeys(keysFolder({}, home))) : this.#bare;
  }

  get bare() {
    return this.#bare;
  }

  /** Puts a result that says otherwise in place of a run's. */
  async swap(name: string, change: (result: Result) => Promise<Result>): Promise<void> {
    const result = (await this.#store.read<Result>(name))!;
    await this.#store.setAside(name, result);
    await this.#store.create(name, await change(result));
  }

  async put(text: string): Promise<{ readonly digest: Digest; readonly size: number }> {
    return this.#bare.put(once(text));
  }
}

/** The run is at its gate, and the bytes in its records are swapped. Returns the digest of the genuine wheel. */
async function swapped(run: Run, stolenKeys: boolean, what: 'manifest and wheel' | 'wheel'): Promise<string> {
  const { run: id } = await run.is('at gate');
  const attacker = new Attacker(stolenKeys);
  const other = await attacker.put('bytes that nobody tested');
  let genuine = '';
  const forged = <One extends Artifact>(one: One): One => ({ ...one, ...other });
  await attacker.swap(records.result(id, `wheels/${run.name}`), async (result) => {
    genuine = hexOf(result.artifacts[0]!.digest);
    return { ...result, artifacts: result.artifacts.map(forged) };
  });
  if (what === 'wheel') return genuine;
  await attacker.swap(records.result(id, 'seal/manifest'), async (result) => {
    const manifest = await readManifest(attacker.bare, result.artifacts[0]!.digest);
    const { digest, size } = await attacker.put(
      canonical({ ...manifest, artifacts: manifest.artifacts.map((one) => forged(one)) }),
    );
    return {
      ...result,
      facts: { manifest: digest },
      artifacts: result.artifacts.map((one) => ({ ...one, digest, size })),
    };
  });
  return genuine;
}

test.each([
  ['without a key', false, 'manifest and wheel', 'gates/ship', 'RECORD_NOT_PROVED'],
  ['with the stolen keys of the home', true, 'manifest and wheel', 'gates/ship', 'SEAL_DIFFERS'],
  ['with the stolen keys, of a builder alone', true, 'wheel', 'publish/shelf', 'SEAL_DIFFERS'],
] as const)(
  '[C2] given records swapped between seal and publish %s, then nothing else is published, and the approved release goes on',
  async (_, stolenKeys, what, step, code) => {
    const run = await aRun(`raft${code.slice(0, 4).toLowerCase()}${what.length}`);
    const genuine = await swapped(run, stolenKeys, what);
    await run.approve();
    const held = await run.held();
    expect(held).toMatchObject({ id: expect.stringMatching(`^${step}`), problems: [{ code }] });
    expect(await onIndex(run.name)).toEqual([]);

    await run.retry(`wheels/${run.name}`);
    // The wheel is built again with the same bytes: they are what kim approved.
    const outcome = (await run.handle.result()) as { verdict: string };
    expect(outcome.verdict).toBe('released');
    expect(await onIndex(run.name)).toEqual([genuine]);
  },
);
