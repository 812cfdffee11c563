/** @long @needs temporal sandbox */
import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { packageRoot } from '../../../src/adapters/home.js';
import type { Comment } from '../../doubles/github.js';
import { deliveryOf } from '../../doubles/github-routes.js';
import { aCommitOf, git } from '../../support/a-line-of-commits.js';
import { homeWithWorkflows } from '../../support/shared-cache.js';
import { until } from '../../support/until.js';
import { startWorkerProcess, untilServed } from '../../support/worker-process.js';
import { startTemporal } from '../../temporal-env.js';
import { aGithub, type Github } from './a-github.js';

const [SECRET, FILE] = ['canary-of-the-webhook', 'slipway.yaml'];
const NIGHT = `slipway: 1
pipeline: { name: night, label: date }
source: { git: . }
platforms: [linux-x86_64]
steps:
  build: { run: 'cp number boat', outputs: [boat] }
`;

let env: TestWorkflowEnvironment;
let github: Github;
let home: string;
const children: ChildProcess[] = [];
const worker = (...role: readonly string[]): ChildProcess => {
  const more = { SLIPWAY_HOME: home, TEMPORAL_ADDRESS: env.address, SLIPWAY_ROOTS: tmpdir(), TOKEN: github.token };
  const child = startWorkerProcess(role, { ...process.env, ...more });
  children.push(child);
  return child;
};

beforeAll(async () => {
  [env, github, home] = await Promise.all([startTemporal(), aGithub(), homeWithWorkflows()]);
  const folder = mkdtempSync(join(tmpdir(), 'slipway-killed-'));
  aCommitOf(folder, { [FILE]: NIGHT, number: '1' });
  const origin = join(home, 'origin.git');
  git(folder, 'clone', '-q', '--bare', folder, origin);
  git(folder, 'push', '-q', origin, 'HEAD:refs/pull/1/head');
  github.pull.head = git(folder, 'rev-parse', 'HEAD');
  const said = { repository: 'skiff/boat', address: github.address, git: origin, token: '$TOKEN', secret: '$SECRET' };
  const hooks = { hooks: 1, ...said, jobs: { night: { file: join(folder, FILE) } } };
  writeFileSync(join(home, 'hooks.yaml'), JSON.stringify(hooks), { mode: 0o600 });
  worker('--workflows');
  worker('--queue', 'linux-x86_64');
});
afterAll(async () => {
  children.forEach((child) => child.kill('SIGKILL'));
  await github?.stop();
  await env?.teardown();
});

/** Starts the door, with the secret and no token. */
async function aDoor(): Promise<{ readonly child: ChildProcess; readonly address: string }> {
  const main = join(packageRoot(), 'dist/features/campaigns/node/door/main.js');
  const own = { PATH: process.env['PATH'], SLIPWAY_HOME: home, TEMPORAL_ADDRESS: env.address, SECRET };
  const child = spawn(process.execPath, [main], { env: own, stdio: ['ignore', 'ignore', 'inherit'] });
  children.push(child);
  const ready = join(home, 'workers', 'hooks.ready');
  const told = () => JSON.parse(readFileSync(ready, 'utf8')) as { readonly pid: number; readonly address: string };
  await until(() => existsSync(ready) && told().pid === child.pid);
  return { child, address: told().address };
}

async function deliver(address: string, { id }: Comment): Promise<number> {
  const body = deliveryOf(github, id);
  const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
  const headers = { 'x-github-event': 'issue_comment', 'x-hub-signature-256': signature };
  return (await fetch(`http://${address}/`, { method: 'POST', headers, body })).status;
}

test('given the door is killed after 202, and control after GitHub created the reply, then there is one reply and one run', async () => {
  const comment = github.add('/test night', 'ann');
  const door = await aDoor();
  expect(await deliver(door.address, comment)).toBe(202);
  door.child.kill('SIGKILL');
  await once(door.child, 'exit');

  github.faults.push({ of: 'POST /issues/1/comments', fault: 'lost' });
  const doomed = worker('--queue', 'control');
  await until(() => github.asked.includes('POST /issues/1/comments'));
  doomed.kill('SIGKILL');
  expect(await deliver((await aDoor()).address, comment)).toBe(202);
  worker('--queue', 'control');
  await untilServed(env.connection, 'control', 'linux-x86_64');
  expect(await env.client.workflow.getHandle(`comment/skiff/boat/${comment.id}`).result()).toBe('done');
  expect(github.replies().map(({ body }) => body)).toEqual([expect.stringContaining('**night**: done')]);
  const ids: string[] = [];
  // The poll for comments begins at each full five minutes, and is neither a reply nor a run of a job.
  for await (const { workflowId } of env.client.workflow.list())
    if (!workflowId.startsWith('comments/')) ids.push(workflowId);
  expect(ids.toSorted()).toEqual([`comment/skiff/boat/${comment.id}`, `pipeline/night/pr-1-c${comment.id}`]);
});
