/** @needs temporal */
import { execFileSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { NO_PAST, once, plan as planned } from '../../src/adapters/facts/index.js';
import { submitHere } from '../../src/adapters/facts/submit-here.js';
import { draftPolicy, writeNewPolicy } from '../../src/adapters/policy/open-policy.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import { CONTROL, RELEASE_WORKFLOW, workflowIdOf } from '../../src/model/ids.js';
import { canonical } from '../../src/model/json.js';
import { type ReleaseInput, type RunStatus, STATUS_QUERY } from '../../src/model/messages.js';
import { SEND } from '../../src/model/actions.js';
import { newHome } from '../support/run-body.js';
import { homeWithWorkflows } from '../support/shared-cache.js';
import { signPlan } from '../support/sign-plan.js';
import { until } from '../support/until.js';
import { startWorkerProcess, untilServed } from '../support/worker-process.js';
import { startTemporal } from '../temporal-env.js';

let env: TestWorkflowEnvironment;
let home: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  home = await homeWithWorkflows();
  env = await startTemporal();
  const own = { ...process.env, SLIPWAY_HOME: home, TEMPORAL_ADDRESS: env.address };
  for (const role of [['--workflows'], ['--queue', CONTROL]]) children.push(startWorkerProcess(role, own));
  await untilServed(env.connection, CONTROL);
});
afterAll(async () => {
  children.forEach((child) => child.kill('SIGKILL'));
  await env?.teardown();
});

/** A release that sets a tag in a repository which others read. */
async function project(name: string): Promise<{ readonly file: string; readonly tags: () => string }> {
  const [folder, shelf] = [await newHome(), await newHome()];
  const files = {
    'release/slipway.yaml': `slipway: 1
release: { name: ${name}, version: '1.0' }
source: { git: .. }
platforms: [linux-x86_64]
pythons: []
publish: { tag: { kind: git-tag } }
`,
    'release/profiles/live.yaml': `rehearsal: false\nkinds: { git-tag: { address: ${shelf} } }\n`,
  };
  mkdirSync(join(folder, 'release', 'profiles'), { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  const git = (cwd: string, ...argv: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', ...argv], {
      cwd,
      encoding: 'utf8',
    });
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'one');
  git(shelf, 'init', '-q', '--bare');
  git(folder, 'push', '-q', shelf, 'main');
  return { file: join(folder, 'release', 'slipway.yaml'), tags: () => git(shelf, 'tag').trim() };
}

const start = (name: string, rehearsal: boolean, input: ReleaseInput) =>
  env.client.workflow.start(RELEASE_WORKFLOW, {
    ...{ taskQueue: CONTROL, workflowId: workflowIdOf({ name, version: '1.0', rehearsal }), args: [input] },
  });
type Run = Awaited<ReturnType<typeof start>>;

const statusIn = async (run: Run, ...states: readonly RunStatus['state'][]): Promise<RunStatus> => {
  let status!: RunStatus;
  await until(async () => {
    status = await run.query<RunStatus>(STATUS_QUERY).catch(() => status);
    return states.includes(status?.state);
  });
  return status;
};
const codesIn = ({ problems, steps }: RunStatus): readonly string[] =>
  [...problems, ...steps.flatMap((step) => step.problems ?? [])].map(({ code }) => code);

test('[H5] given a worker without a policy, then a live release is held; with a reviewed policy it goes on', async () => {
  const { file, tags } = await project('live');
  const store = createDirectoryStore(join(home, 'store'));
  const { digest } = await submitHere(file, 'live', { env: {}, home, store, past: NO_PAST });
  const run = await start('live', false, { plan: digest });
  const held = await statusIn(run, 'held', 'ended');
  expect(codesIn(held)).toEqual(['POLICY_MISSING']);
  expect(held.state).toBe('held');
  expect(tags()).toBe('');
  await writeNewPolicy(join(home, 'policy.yaml'), await draftPolicy(file, 'live', NO_PAST));
  await run.executeUpdate(SEND, { args: [{ action: 'retry' }] });
  const { verdict } = await statusIn(run, 'ended');
  expect(verdict).toMatchObject({ verdict: 'released' });
  expect(tags()).toBe('v1.0');
});

test('[H5] given a live plan turned into a rehearsal, then the worker refuses it and runs nothing of it', async () => {
  const { file, tags } = await project('forged');
  const plan = await planned(file, 'live');
  const forged = { ...plan, profile: { ...plan.profile, rehearsal: true } };
  const store = createDirectoryStore(join(home, 'store'));
  const { digest } = await store.put(once(canonical(forged)));
  await signPlan(home, store, digest); // the signature of another planner that has the key
  const run = await start('forged', true, { plan: digest });
  const ended = await statusIn(run, 'ended', 'held');
  expect(codesIn(ended)).toEqual(['REHEARSAL_ELSEWHERE']);
  expect(ended.steps).toEqual([]);
  expect(tags()).toBe('');
});
