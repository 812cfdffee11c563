/** @long @needs temporal registries */
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { CONTROL, RELEASE_WORKFLOW, workflowIdOf } from '../../src/model/ids.js';
import { STATUS_QUERY, type ReleaseInput, type RunStatus, type StepStatus } from '../../src/model/messages.js';
import { isOpenOutage } from '../../src/model/outage.js';
import { aCommitOf } from '../support/a-line-of-commits.js';
import { startFaultProxy, type FaultProxy } from '../support/fault-proxy.js';
import { slipway } from '../support/own-services.js';
import { DEVPI_PASSWORD, startDevpi, type TestServer } from '../support/registries.js';
import { newHome } from '../support/run-body.js';
import { homeWithWorkflows } from '../support/shared-cache.js';
import { MAKE_WHEEL } from '../support/tiny-projects.js';
import { startTemporal } from '../temporal-env.js';
import { unlessFailed, until } from '../support/until.js';
import { startWorkerProcess, untilServed } from '../support/worker-process.js';

let home = '';
let env: TestWorkflowEnvironment;
let devpi: TestServer;
let door: FaultProxy;
const children: ChildProcess[] = [];
const surroundings = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '/',
  SLIPWAY_HOME: home,
  SLIPWAY_SANDBOX: 'none',
  TEMPORAL_ADDRESS: env.address,
  SLIPWAY_ROOTS: tmpdir(),
  DEVPI: DEVPI_PASSWORD,
});

beforeAll(async () => {
  home = await homeWithWorkflows();
  [env, devpi] = await Promise.all([startTemporal(), newHome().then((folder) => startDevpi(folder))]);
  door = await startFaultProxy(devpi.address);
  for (const role of [['--workflows'], ['--queue', CONTROL], ['--queue', 'linux-x86_64']])
    children.push(startWorkerProcess(role, surroundings()));
  await untilServed(env.connection, CONTROL, 'linux-x86_64');
});
afterAll(async () => {
  children.forEach((child) => child.kill('SIGKILL'));
  await door?.stop();
  await devpi?.stop();
  await env?.teardown();
});

/** Two further tries of each step: the outage takes more. */
const file = (go: string): string => `slipway: 1
isolation: none
release: { name: ferry, version: '1.0' }
source: { git: .. }
platforms: [linux-x86_64]
pythons: [cp311]
wheels:
  boat: { platform: none, python: none, builder: command, files: [make-wheel.py], run: "python3 {files}/make-wheel.py {out} boat 1.0 'answer = 1'" }
steps:
  early: { needs: [wheels/boat], run: 'until [ -e ${go} ]; do sleep 0.1; done' }
publish:
  shelf: { kind: python, files: [wheels/boat], retry: { infra: { times: 2, wait: 1s, atMost: 1s } } }
`;

function aProject(go: string): string {
  const folder = join(home, 'project');
  const row = (address: string): string => `{ kind: python, address: '${address}', username: root, password: $DEVPI }`;
  const throughTheDoor = new URL(new URL(devpi.address).pathname, door.address).href;
  aCommitOf(folder, {
    'release/slipway.yaml': file(go),
    'release/make-wheel.py': MAKE_WHEEL,
    'release/profiles/bad-line.yaml': `rehearsal: true\ntargets:\n  shelf: ${row(throughTheDoor)}\n`,
  });
  return join(folder, 'release', 'slipway.yaml');
}

test('given an index that goes down during a release, then its step waits, and the run ends without help', async () => {
  const go = join(home, 'go');
  const input: ReleaseInput = { file: aProject(go), profile: 'bad-line', onFailure: 'hold' };
  const handle = await env.client.workflow.start(RELEASE_WORKFLOW, {
    ...{
      taskQueue: CONTROL,
      workflowId: workflowIdOf({ name: 'ferry', version: '1.0', rehearsal: true }),
      args: [input],
    },
  });
  // Workers may still be starting.
  const status = (): Promise<RunStatus | null> => handle.query<RunStatus>(STATUS_QUERY).catch(() => null);
  const stepOf = (status: RunStatus | null, id: string): StepStatus | undefined =>
    status?.steps.find((step) => step.id.startsWith(id));
  await until(async () => stepOf(await status(), 'steps/early')?.state === 'running');
  door.fault = 'is down';
  writeFileSync(go, '');

  const gone = await until(async () => {
    const now = await status();
    return now?.outages !== undefined && now.state === 'waiting' && now;
  });
  expect(gone.outages).toMatchObject([{ service: 'target:shelf', steps: 1 }]);
  expect(stepOf(gone, 'publish/shelf')).toMatchObject({ state: 'waiting', because: 'target:shelf does not answer' });
  const { stdout } = await slipway(home, ['status'], surroundings());
  expect(stdout).toMatch(/waits for target:shelf since \d+ s: 1 step, (next try|tried now)/);
  // More tries than the step's budget has: they count for nothing.
  const tries = await until(async () => {
    const now = await status();
    return (stepOf(now, 'publish/shelf')?.attempt ?? 0) > 4 && now;
  });
  expect(tries.outages!.filter(isOpenOutage)).toHaveLength(1);
  expect((await handle.describe()).typedSearchAttributes.getAll()).toContainEqual({
    key: expect.objectContaining({ name: 'SlipwayState' }),
    value: 'waiting',
  });

  door.fault = null;
  const { verdict, status: last } = (await unlessFailed(handle.result())) as { verdict: string; status: RunStatus };
  expect(verdict).toBe('rehearsed');
  expect(last.steps.filter(({ state }) => state !== 'done')).toEqual([]);
  expect(last.outages).toMatchObject([{ service: 'target:shelf', until: expect.any(Number), steps: 1 }]);
  expect(last.verdict!.reasons).toEqual([expect.stringMatching(/^target:shelf did not answer for \d+ (s|min) from /)]);
  const page = await (await fetch(new URL('+simple/boat/', devpi.address))).text();
  expect(page.match(/>boat-1\.0-[^<]*\.whl</g)).toHaveLength(1);
});
