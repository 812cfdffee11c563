/** @needs temporal */
import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createMakePlan } from '../../../src/activities/plan/make-plan.js';
import type { StepContext } from '../../../src/activities/step/ports.js';
import { createPlanner } from '../../../src/adapters/facts/planner.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { commentActivities, commentWatches } from '../../../src/features/campaigns/node/comments/activities.js';
import { type Door, openDoor } from '../../../src/features/campaigns/node/door/server.js';
import { startComment } from '../../../src/features/campaigns/node/door/start-comment.js';
import { aLineOfCommits, git } from '../../support/a-line-of-commits.js';
import { NO_RUNS } from '../../support/no-runs.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../../temporal-env.js';
import { ending, fakeActivities, fakeWatch } from '../../workflows/fake-activities.js';
import { aGithub } from './a-github.js';

const SECRET = 'canary-of-the-webhook';
let env: TestWorkflowEnvironment;
let bundle: { code: string };
let github: Awaited<ReturnType<typeof aGithub>>;
let door: Door;
const home = mkdtempSync(join(tmpdir(), 'slipway-comments-'));
const line = aLineOfCommits(2);
const origin = join(home, 'origin.git');
const store = createDirectoryStore(join(home, 'store'));
const unsigned = { sign: async () => undefined, isSigned: async () => true };
const planner = createPlanner(store, unsigned, () => [line.root], NO_RUNS);

beforeAll(async () => {
  [env, bundle, github] = await Promise.all([startTemporal(), bundleWorkflows(), aGithub()]);
  mkdirSync(origin);
  git(line.root, 'clone', '-q', '--bare', line.root, origin);
  git(line.root, 'checkout', '-q', '-b', 'topic');
  writeFileSync(join(line.root, 'number'), 'changed');
  git(line.root, 'commit', '-qam', 'change');
  github.pull.head = git(line.root, 'rev-parse', 'HEAD');
  git(line.root, 'push', '-q', origin, 'HEAD:refs/pull/1/head');
  git(line.root, 'checkout', '-q', 'main');
  git(line.root, 'branch', '-qD', 'topic');
  writeFileSync(
    join(home, 'hooks.yaml'),
    `hooks: 1
repository: skiff/boat
address: ${github.address}
git: ${origin}
token: $GITHUB_TOKEN
secret: $HOOK_SECRET
jobs: { night: { file: ${line.file} } }
`,
  );
  door = await openDoor(0, {
    ...{ repository: 'skiff/boat', secret: SECRET, log: () => undefined },
    start: (input) => startComment(env.client, input),
  });
});
afterAll(async () => {
  await door?.close();
  github?.close();
  await env?.teardown();
});

const around = (): StepContext =>
  ({
    ...{ store, home, now: Date.now, env: { GITHUB_TOKEN: github.token, SLIPWAY_ROOTS: line.root } },
  }) as unknown as StepContext;

async function serving<T>(body: () => Promise<T>): Promise<T> {
  const makePlan = createMakePlan(planner, { unserved: async () => [], slots: async () => ({ control: 20 }) });
  const none = (): never => {
    throw new Error('the real planner answers');
  };
  const steps = { ...fakeActivities(none, () => ending), makePlan, lookUpCache: async () => [] };
  const workers = await Promise.all([
    makeWorker(env, bundle, { ...steps, ...commentActivities(around(), planner) }),
    makeWorker(env, bundle, steps, { taskQueue: 'linux-x86_64' }),
    makeWorker(
      env,
      bundle,
      { ...fakeWatch(), ...commentWatches(around()) },
      { taskQueue: 'slipway-fleet', shutdownGraceTime: 0 },
    ),
  ]);
  const [first, second, third] = workers;
  return first.runUntil(() => second.runUntil(() => third.runUntil(body)));
}

const deliver = (comment: { id: number; body: string }, secret = SECRET): Promise<Response> => {
  const body = JSON.stringify({
    ...{ action: 'created', comment: { id: comment.id, body: comment.body }, issue: { number: 1, pull_request: {} } },
    repository: { full_name: 'skiff/boat' },
  });
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  return fetch(`http://127.0.0.1:${door.port}/`, {
    method: 'POST',
    headers: { 'x-github-event': 'issue_comment', 'x-hub-signature-256': signature },
    body,
  });
};

test('given a signed delivery, then its run starts, and one reply is edited to the verdict', async () => {
  const comment = github.add('/test night', 'ann');
  await serving(async () => {
    expect((await deliver(comment)).status).toBe(202);
    const handle = env.client.workflow.getHandle(`comment/skiff/boat/${comment.id}`);
    expect(await handle.result()).toEqual({ ended: 'done', workflowId: `pipeline/night/pr-1-c${comment.id}` });
    expect((await deliver(comment)).status).toBe(202);
  });
  const replies = github.comments.filter(({ user }) => user.login === 'robot');
  expect(replies).toHaveLength(1);
  expect(replies[0]!.body).toContain('done');
  console.log(replies[0]!.body);
});
