/** @needs temporal */
import { createHmac } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScheduleNotFoundError } from '@temporalio/client';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createMakePlan } from '../../../src/activities/plan/make-plan.js';
import type { StepContext } from '../../../src/activities/step/ports.js';
import { createPlanner } from '../../../src/adapters/facts/planner.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { commentActivities, commentWatches } from '../../../src/features/campaigns/node/comments/activities.js';
import { openDoor } from '../../../src/features/campaigns/node/door/server.js';
import { keepPoll, startComment } from '../../../src/features/campaigns/node/door/start-comment.js';
import type { Comment } from '../../doubles/github.js';
import { deliveryOf } from '../../doubles/github-routes.js';
import { aLineOfCommits, git } from '../../support/a-line-of-commits.js';
import { CONVERTER } from '../../support/converter.js';
import { NO_RUNS } from '../../support/no-runs.js';
import { bundleWorkflows, makeWorker, startTemporal } from '../../temporal-env.js';
import { impersonal } from '../../histories/record.js';
import { until } from '../../support/until.js';
import { historiesOf } from '../../workflows/histories-of.js';
import { ending, fakeActivities, fakeWatch, untilAborted, type FakeStep } from '../../workflows/fake-activities.js';
import { COMMENT_MEMO } from '../../../src/features/campaigns/pure/comments/messages.js';
import { aGithub, type Github } from './a-github.js';

const SECRET = 'canary-of-the-webhook';
let env: TestWorkflowEnvironment;
let bundle: { code: string };
let github: Github;
let door: Awaited<ReturnType<typeof openDoor>>;
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
jobs:
  night: { file: ${line.file} }
  gone: { file: ${join(line.root, 'gone.yaml')} }
  outside: { file: /etc/passwd }
`,
  );
  door = await openDoor(0, {
    ...{ repository: 'skiff/boat', secret: SECRET, log: () => undefined },
    start: startComment(env.client),
  });
  await serve();
});
afterAll(async () => {
  await door?.close();
  workers?.forEach((worker) => worker.shutdown());
  await running;
  await github?.stop();
  await env?.teardown();
});

const around = (): StepContext =>
  ({
    ...{ store, home, now: Date.now, env: { GITHUB_TOKEN: github.token, SLIPWAY_ROOTS: line.root } },
  }) as unknown as StepContext;

/** What a step of a run does. */
let step: FakeStep = () => ending;
let workers: readonly Worker[];
let running: Promise<unknown>;
async function serve(): Promise<void> {
  const makePlan = createMakePlan(planner, { unserved: async () => [], slots: async () => ({ control: 20 }) });
  const none = (): never => {
    throw new Error('the real planner answers');
  };
  const steps = { ...fakeActivities(none, (...asked) => step(...asked)), makePlan, lookUpCache: async () => [] };
  const watches = { ...fakeWatch(), ...commentWatches(around()) };
  workers = await Promise.all([
    makeWorker(env, bundle, { ...steps, ...commentActivities(around(), planner) }),
    makeWorker(env, bundle, steps, { taskQueue: 'linux-x86_64' }),
    makeWorker(env, bundle, watches, { taskQueue: 'slipway-fleet', shutdownGraceTime: 0 }),
  ]);
  running = Promise.all(workers.map((worker) => worker.run()));
}

const deliver = (comment: Comment): Promise<Response> => {
  const body = deliveryOf(github, comment.id);
  const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
  return fetch(`http://127.0.0.1:${door.port}/`, {
    method: 'POST',
    headers: { 'x-github-event': 'issue_comment', 'x-hub-signature-256': signature },
    body,
  });
};

const idOf = ({ id }: { readonly id: number }): string => `comment/skiff/boat/${id}`;
const runOf = ({ id }: { readonly id: number }): string => `pipeline/night/pr-1-c${id}`;
const ended = ({ id }: { readonly id: number }): Promise<unknown> =>
  env.client.workflow.getHandle(idOf({ id })).result();
/** Ids of all runs with the beginning of an id. */
async function started(beginning: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { workflowId, runId } of env.client.workflow.list())
    if (workflowId.startsWith(beginning)) ids.push(`${workflowId} ${runId}`);
  return ids;
}
const history = (workflowId: string) => historiesOf(env.client, env.client.workflow.getHandle(workflowId));

beforeEach(() => {
  for (const issue of github.issues) issue.comments = [];
  step = () => ending;
});

test('given a signed delivery, then its run starts, one reply is edited to the verdict, and a second delivery adds nothing', async () => {
  const comment = github.add('/test night', 'ann');
  expect((await deliver(comment)).status).toBe(202);
  expect(await ended(comment)).toBe('done');
  const before = github.replies().map(({ body }) => body);
  expect(before).toEqual([expect.stringContaining('**night**: done')]);
  expect(before[0]).toContain(github.pull.head);
  const all = await started('');

  expect((await deliver(comment)).status).toBe(202);
  expect(await started('')).toEqual(all);
  expect(github.replies().map(({ body }) => body)).toEqual(before);
  const [told] = await history(idOf(comment));
  recordOnce(told!.history);
  const texts = JSON.stringify([told, await history(runOf(comment)), github.issues]);
  for (const canary of [SECRET, github.token]) {
    expect(texts).not.toContain(canary);
    expect(texts).not.toContain(Buffer.from(canary).toString('base64').slice(0, 20));
  }
});

test('given a poll by the schedule, then it starts the same ids, once, and asks once where nothing is new', async () => {
  const [delivered, polled] = [github.add('/help', 'ann'), github.add('/help', 'ann')];
  await deliver(delivered);
  expect(await ended(delivered)).toBe('help');
  await keepPoll(env.client, 'skiff/boat', 3_600_000);
  await keepPoll(env.client, 'skiff/boat', 3_600_000);
  const schedule = env.client.schedule.getHandle('comments/skiff/boat');
  const poll = async (): Promise<unknown> => {
    const { numActionsTaken: taken } = (await schedule.describe()).info;
    await schedule.trigger('SKIP');
    const action = await until(async () => {
      const { info } = await schedule.describe();
      return info.numActionsTaken > taken && info.runningActions.length === 0 ? info.recentActions.at(-1) : null;
    });
    return env.client.workflow.getHandle(action.action.workflow.workflowId).result();
  };
  await poll();
  expect(await ended(polled)).toBe('help');
  expect(await started(idOf(delivered))).toHaveLength(1);
  const seen = await poll();
  expect(seen).toMatchObject({ since: expect.any(String) });
  await poll();
  const { length } = github.asked;
  expect(await poll()).toMatchObject({ etag: expect.any(String) });
  expect(github.asked.slice(length)).toEqual(['GET /issues/comments']);
  await deliver(polled);
  expect(await started(idOf(polled))).toHaveLength(1);
  expect(github.replies()).toHaveLength(2);
  await schedule.delete();
});

test('given an answer that is lost after the reply was created, then there is one reply and one run', async () => {
  const comment = github.add('/test night', 'ann');
  github.faults.push({ of: 'POST /issues/1/comments', fault: 'lost' });
  await deliver(comment);
  expect(await ended(comment)).toBe('done');
  expect(github.replies().map(({ body }) => body)).toEqual([expect.stringContaining('**night**: done')]);
  expect(await started(runOf(comment))).toHaveLength(1);
});

test('given a reply that GitHub refuses, then the run goes on all the same', async () => {
  const comment = github.add('/test night', 'ann');
  const refused = { of: 'GET /issues/1/comments', fault: { status: 403 } };
  github.faults.push(refused, refused);
  await deliver(comment);
  expect(await ended(comment)).toBe('untold');
  expect(github.replies().map(({ body }) => body)).toEqual([
    expect.stringContaining('**night**: the run is not followed any more'),
  ]);
  expect(await env.client.workflow.getHandle(runOf(comment)).result()).toMatchObject({
    status: { verdict: { verdict: 'done' } },
  });
  expect(github.faults).toEqual([]);
});

test('given mistakes, then one reply names them, and no run starts', async () => {
  const comment = github.add('/tset night\n/var a\n/skip nothing\n', 'ann');
  await deliver(comment);
  expect(await ended(comment)).toBe('mistakes');
  expect(github.replies().map(({ body }) => body)).toEqual([expect.stringContaining('Nothing has started')]);
  expect(await started(runOf(comment))).toEqual([]);
});

test.each([
  ['/test night\n/skip nothing', '`UNKNOWN_ENTRY`', 'steps/nothing'],
  ['/test night big', '`slipway.yaml', 'SETTINGS_ABSENT'],
  ['/test gone', 'the operator must look: `RELEASE_FILE_ABSENT`', ''],
  ['/test outside', 'the operator must look: `RELEASE_FILE_OUTSIDE`', ''],
])(
  'given %j, which planning refuses, then one reply says why, and names no folder of the worker',
  async (text, ...told) => {
    const comment = github.add(text, 'ann');
    await deliver(comment);
    expect(await ended(comment)).toBe('mistakes');
    const bodies = github.replies().map(({ body }) => body);
    expect(bodies).toEqual([expect.stringContaining('Nothing has started')]);
    for (const part of told) expect(bodies[0]).toContain(part);
    expect(bodies[0]).not.toMatch(/\/(tmp|etc)/);
    expect(await started(runOf(comment))).toEqual([]);
  },
);

test('given /cancel, then the open runs of the pull request end, and the first reply says so', async () => {
  step = (input, signal) => (input.step.startsWith('report') ? ending : untilAborted(signal));
  const comment = github.add('/test night', 'ann');
  await deliver(comment);
  const run = env.client.workflow.getHandle(runOf(comment));
  await until(async () => {
    const open = env.client.workflow.list({ query: `WorkflowType = 'comment' AND ExecutionStatus = 'Running'` });
    for await (const { memo } of open)
      if (memo?.[COMMENT_MEMO] !== undefined) return (await started(runOf(comment))).length > 0;
    return false;
  });
  const cancel = github.add('/cancel', 'ann');
  await deliver(cancel);
  expect(await ended(cancel)).toBe('cancelled');
  await expect(run.result()).rejects.toThrow();
  expect(await ended(comment)).toBe('cancelled');
  expect(github.replies().map(({ body }) => body)).toEqual([
    expect.stringContaining('**night**: cancelled'),
    expect.stringContaining(runOf(comment)),
  ]);
});

test('given /cancel after the workflow of the comment has ended, then the run is found by what it says itself', async () => {
  step = (input, signal) => (input.step.startsWith('report') ? ending : untilAborted(signal));
  const comment = github.add('/test night', 'ann');
  await deliver(comment);
  const run = env.client.workflow.getHandle(runOf(comment));
  await until(async () => (await started(runOf(comment))).length > 0);
  await env.client.workflow.getHandle(idOf(comment)).terminate();
  await until(async () => {
    const open = env.client.workflow.list({ query: `WorkflowType = 'comment' AND ExecutionStatus = 'Running'` });
    for await (const _ of open) return false;
    return true;
  });
  const cancel = github.add('/cancel night', 'ann');
  await deliver(cancel);
  expect(await ended(cancel)).toBe('cancelled');
  await expect(run.result()).rejects.toThrow();
  expect(github.replies().at(-1)!.body).toContain('ends 1 open runs');
});

test('given the workflow of a comment that is cancelled, then the reply ends in a sentence, and the run goes on', async () => {
  let go: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (go = resolve));
  step = () => released.then(() => ending);
  const comment = github.add('/test night', 'ann');
  await deliver(comment);
  await until(async () => (await started(runOf(comment))).length > 0 && github.replies().length > 0);
  await env.client.workflow.getHandle(idOf(comment)).cancel();
  expect(await ended(comment)).toBe('untold');
  expect(github.replies().map(({ body }) => body)).toEqual([
    expect.stringContaining('**night**: the run is not followed any more, and may not have started.'),
  ]);
  go();
  expect(await env.client.workflow.getHandle(runOf(comment)).result()).toMatchObject({
    status: { verdict: { verdict: 'done' } },
  });
});

test('given hooks.yaml names another repository, or is gone, then the poll deletes its schedule, and asks GitHub nothing', async () => {
  for (const repository of ['skiff/former-1', 'skiff/boat']) {
    const [file, gone] = [join(home, 'hooks.yaml'), join(home, 'gone')];
    if (repository === 'skiff/boat') renameSync(file, gone);
    await keepPoll(env.client, repository, 3_600_000);
    const { length } = github.asked;
    const schedule = env.client.schedule.getHandle(`comments/${repository}`);
    await schedule.trigger('SKIP');
    await until(() =>
      schedule.describe().then(
        () => false,
        (error: unknown) => error instanceof ScheduleNotFoundError,
      ),
    );
    if (repository === 'skiff/boat') renameSync(gone, file);
    expect(github.asked).toHaveLength(length);
  }
});

const RECORDED = join(__dirname, 'commented.golden.json');
/** UPDATE_GOLDEN=1 records it where it is absent. */
function recordOnce(of: unknown): void {
  if (process.env['UPDATE_GOLDEN'] === '1' && !existsSync(RECORDED))
    writeFileSync(RECORDED, `${JSON.stringify(impersonal(of), null, 1)}\n`);
}

test('given the recorded history of a comment, then this build replays it', async () => {
  const recorded = historyFromJSON(JSON.parse(readFileSync(RECORDED, 'utf8')));
  const how = { workflowBundle: bundle, dataConverter: CONVERTER, replayName: 'comment' };
  await Worker.runReplayHistory(how, recorded, 'comment/skiff/boat/100');
});
