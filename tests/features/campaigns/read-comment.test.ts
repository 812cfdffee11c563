import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunStatus } from '../../../src/model/messages.js';
import type { Plan } from '../../../src/model/plan.js';
import { fail, type Problem } from '../../../src/model/failure.js';
import { bytesOf } from '../../../src/activities/read-text.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { listComments } from '../../../src/features/campaigns/node/comments/list-comments.js';
import { type CommentPorts, readComment } from '../../../src/features/campaigns/node/comments/read-comment.js';
import { readHooksFile } from '../../../src/features/campaigns/node/hooks-file.js';
import { followed, tellReply } from '../../../src/features/campaigns/node/comments/reply.js';
import { pageOf } from '../../../src/features/campaigns/node/github/comments.js';
import { changedRows } from '../../../src/features/campaigns/pure/config/why.js';
import type { JsonObject } from '../../../src/model/json.js';
import type { Seen } from '../../../src/features/campaigns/pure/comments/messages.js';
import { renderReply, type ReplyState } from '../../../src/features/campaigns/pure/comments/reply.js';
import type { Comment } from '../../doubles/github.js';
import { aGithub, type Github } from './a-github.js';

const HEAD = 'a'.repeat(40);
let github: Github;
beforeEach(async () => {
  github = await aGithub(HEAD);
  store = aStore();
});
afterEach(() => github.stop());

const to = () => ({
  ...{ name: 'hooks.yaml', address: github.address, repository: 'skiff/boat', token: github.token },
  ...{ signal: new AbortController().signal, waits: () => undefined },
});
const aStore = () => createDirectoryStore(join(mkdtempSync(join(tmpdir(), 'slipway-read-')), 'store'));
let store = aStore();

async function ports(over: Partial<CommentPorts> = {}, more = ''): Promise<CommentPorts> {
  const home = mkdtempSync(join(tmpdir(), 'slipway-hooks-'));
  writeFileSync(
    join(home, 'hooks.yaml'),
    `hooks: 1
repository: skiff/boat
address: ${github.address}
token: $TOKEN
jobs: { night: { file: night/slipway.yaml } }
${more}`,
  );
  const plan = {
    ...{ release: { name: 'night', version: 'x' }, pipeline: true, profile: { name: 'local', rehearsal: false } },
    ...{ steps: [], dropped: [] },
  } as unknown as Plan;
  return {
    ...{ store, now: Date.now, hooks: (await readHooksFile(home))!, to: to(), openRuns: async () => [] },
    planner: { submit: async () => ({ plan, digest: `sha256:${'1'.repeat(64)}` as never }) },
    ...{ asks: { workflowId: '', runId: 'run-1', attempt: 1 }, folders: ['/srv/home'], warn: () => undefined },
    fetchHead: async () => HEAD,
    ...over,
  };
}

const read = async (of: CommentPorts, comment: number, runId = 'run-1', attempt = 1) => {
  const asks = { runId, attempt, workflowId: `comment/skiff/boat/${comment}` };
  return readComment({ ...of, asks }, { repository: 'skiff/boat', comment });
};

const LATER = '2999-01-01T00:00:00Z';
/** Something was pushed to the repository, and to the branch of the head at a time. */
function pushed(on: Github, at: string): void {
  on.pull.pushed = LATER;
  on.pushes = [{ ref: 'refs/heads/topic', timestamp: at }];
}
test.each<[string, string | null, readonly (string | undefined)[], RegExp]>([
  [
    'the clone has it',
    null,
    ['b'.repeat(40)],
    /^- 0 steps at commit [^\n]*\n- changes count since `b{40}`, the base of/m,
  ],
  [
    'no entry asks what changed',
    'SINCE_WITHOUT_CONDITION',
    ['b'.repeat(40), undefined],
    /^- 0 steps at commit [^\n]*$(?![^]*(?:counts as changed|changes count))/m,
  ],
  ['the clone lacks it', 'SINCE_UNKNOWN', ['b'.repeat(40), undefined], /everything counts as changed: .* `b{40}`/],
  [
    'it has no common ancestor',
    'SINCE_WITHOUT_MERGE_BASE',
    ['b'.repeat(40), undefined],
    /everything counts as changed/,
  ],
  ['planning has another problem', 'OTHER', ['b'.repeat(40)], /Nothing has started/],
])(
  'given the base of a pull request, when %s, then the run is planned since it or says why not',
  async (_, code, asked, told) => {
    github.pull.base = 'b'.repeat(40);
    const of = await ports();
    const seen: (string | undefined)[] = [];
    const submit: CommentPorts['planner']['submit'] = async (file, profile, given) => {
      seen.push(given?.since);
      if (code !== null && given?.since !== undefined)
        throw fail({ code, class: 'config', message: 'a', next: 'b', place: { file: 'slipway.yaml' } });
      return of.planner.submit(file, profile, given);
    };
    const found = await read({ ...of, planner: { submit } }, github.add('/plan night', 'ann').id);
    expect(seen).toEqual(asked);
    expect(renderReply(found!.reply)).toMatch(told);
  },
);

test.each<[what: string, told: object | null, make: (github: Github) => number, more?: string]>([
  ['a person with the right', { kind: 'run', status: null }, (on) => on.add('/test night', 'ann').id],
  ['the same on /plan', { kind: 'plan' }, (on) => on.add('/plan night', 'ann').id],
  ['/help', { kind: 'help' }, (on) => on.add('/help', 'ann').id],
  ['a stranger', { kind: 'refused', why: 'stranger' }, (on) => on.add('/test night', 'eve').id],
  ['a stranger who asks for help', { kind: 'refused', why: 'stranger' }, (on) => on.add('/help', 'eve').id],
  ['a person of the list', { kind: 'run' }, (on) => on.add('/test night', 'eve').id, 'allow: [Eve]'],
  [
    'a person beside the list',
    { kind: 'refused', why: 'stranger' },
    (on) => on.add('/test night', 'ann').id,
    'allow: [eve]',
  ],
  ['a user who was deleted', { kind: 'refused', why: 'stranger' }, (on) => on.add('/test night', '').id],
  ['no directive', null, (on) => on.add('nice', 'ann').id],
  ['a comment that was deleted', null, () => 99],
  ['an issue', null, (on) => on.add('/test night', 'ann', 2).id],
  ['a mistake', { kind: 'mistakes', mistakes: [{ line: 1 }] }, (on) => on.add('/tset night', 'ann').id],
  [
    'a comment that was edited',
    { kind: 'refused', why: 'edited' },
    (on) => Object.assign(on.add('/test night', 'ann'), { updated: LATER }).id,
  ],
  [
    'a fork',
    { kind: 'refused', why: 'fork' },
    (on) => {
      Object.assign(on.pull, { from: 'eve/boat' });
      return on.add('/test night', 'ann').id;
    },
  ],
  [
    'a fork that is allowed',
    { kind: 'run' },
    (on) => {
      Object.assign(on.pull, { from: 'eve/boat' });
      return on.add('/test night', 'ann').id;
    },
    'forks: allow',
  ],
  [
    'a fork that was deleted',
    { kind: 'refused', why: 'pushed' },
    (on) => {
      Object.assign(on.pull, { from: null });
      return on.add('/test night', 'ann').id;
    },
    'forks: allow',
  ],
  [
    'a push to the branch after the comment',
    { kind: 'refused', why: 'pushed' },
    (on) => {
      pushed(on, LATER);
      return on.add('/test night', 'ann').id;
    },
  ],
  [
    'a push to another branch after the comment',
    { kind: 'run' },
    (on) => {
      pushed(on, '2020-01-01T00:00:00Z');
      return on.add('/test night', 'ann').id;
    },
  ],
  [
    'a push to the branch in the second of the comment',
    { kind: 'refused', why: 'pushed' },
    (on) => {
      const { id, at } = on.add('/test night', 'ann');
      pushed(on, at);
      return id;
    },
  ],
  [
    'a push of which GitHub does not say more',
    { kind: 'refused', why: 'pushed' },
    (on) => {
      on.pull.pushed = LATER;
      return on.add('/test night', 'ann').id;
    },
  ],
  [
    'a pull request that is closed',
    { kind: 'refused', why: 'closed' },
    (on) => {
      on.issues[0]!.state = 'closed';
      return on.add('/test night', 'ann').id;
    },
  ],
])('given %s, then the reply says so', async (_, told, make, more = '') => {
  const found = await read(await ports({}, more), make(github));
  if (told === null) expect(found).toBeNull();
  else expect(found!.reply).toMatchObject(told);
  const isRun = (told as { kind?: string } | null)?.kind === 'run';
  expect(found?.start?.memo.workflowId).toBe(isRun ? 'pipeline/night/x' : undefined);
});

test('given what git fetched is another head, then the reply asks for another comment', async () => {
  const found = await read(await ports({ fetchHead: async () => 'b'.repeat(40) }), github.add('/test night', 'ann').id);
  expect(found).toMatchObject({ reply: { kind: 'refused', why: 'pushed' } });
  expect(found!.start).toBeUndefined();
});

test('given a comment for us, then its values are read after its author was asked for, and those of a stranger never', async () => {
  const { hooks } = await ports();
  const { jobs } = hooks;
  const asked: string[][] = [];
  Object.defineProperty(hooks, 'jobs', { get: () => (asked.push([...github.asked]), jobs) });
  expect(await read(await ports({ hooks }), github.add('/test night', 'eve').id)).not.toBeNull();
  expect(asked).toEqual([]);
  expect(await read(await ports({ hooks }), github.add('/test night', 'ann').id)).not.toBeNull();
  expect(asked.length).toBeGreaterThan(0);
  for (const one of asked) expect(one.at(-1)).toBe('GET /collaborators/ann/permission');
});

test('given comments without a directive, then each costs one request', async () => {
  for (const text of ['nice', '/lgtm', '`/test night`', '```\n/test night\n```', '/tset\n'.repeat(20_000)])
    expect(await read(await ports(), github.add(text, 'eve').id)).toBeNull();
  expect(github.asked.filter((one) => !one.startsWith('GET /issues/comments'))).toEqual([]);
  expect(github.asked).toHaveLength(5);
});

test.each<[who: string, set: object, more?: string]>([
  ['may start runs', { set: ['a.b=1'] }],
  ['may not', {}],
  ['may, and a person whom the list of logins lacks may have edited it', {}, 'allow: [ann]'],
  ['may, and so may editors', { set: ['a.b=1'] }, 'allow: { permission: triage }'],
  ['may, and a person with write may have edited it', {}, 'allow: { permission: maintain }'],
])('given settings in the description by an author who %s, then they count so', async (who, set, more = '') => {
  github.people['ann'] = more === '' ? 'write' : 'admin';
  const { planner } = await ports();
  const submit = jest.fn(planner.submit);
  Object.assign(github.issues[0]!, { body: '/var a.b: 1', author: who === 'may not' ? 'eve' : 'ann' });
  await read(await ports({ planner: { submit } }, more), github.add('/test night', 'ann').id);
  const {
    source: _source,
    label: _label,
    since: _since,
    ...given
  } = submit.mock.calls[0]![2] as object & Record<string, unknown>;
  expect(given).toEqual(set);
});

test('given a comment, then the source alone has the commit, and the label names pull request and comment', async () => {
  const { planner } = await ports();
  const submit = jest.fn(planner.submit);
  const { id } = github.add('/test night', 'ann');
  await read(await ports({ planner: { submit } }), id);
  expect(submit.mock.calls[0]![0]).toMatch(/^\/.*\/night\/slipway\.yaml$/);
  expect(submit.mock.calls[0]!.slice(1)).toEqual([
    'local',
    { source: HEAD, label: `pr-1-c${id}`, since: github.pull.base },
  ]);
});

test('given a comment that another workflow read, then it starts nothing, also after years', async () => {
  const of = await ports();
  const { id } = github.add('/test night', 'ann');
  expect(await read(of, id)).not.toBeNull();
  expect(await read(of, id)).not.toBeNull();
  const { length } = github.asked;
  expect(await read(of, id, 'run-2')).toBeNull();
  expect(github.asked).toHaveLength(length);
});

const failing = (problem: object) => ({
  submit: () =>
    Promise.reject(
      fail({ code: 'CONFIG_UNKNOWN_KEY', class: 'config', message: 'no a', next: 'b', ...problem } as Problem),
    ),
});
const at = (file: string) => ({ place: { file, line: 3 } });

test.each<[what: string, problem: object, told: object]>([
  ['of a file of the commit', at('config.yaml'), { problems: [{ code: 'CONFIG_UNKNOWN_KEY', ...at('config.yaml') }] }],
  ['of an option', { place: { file: '--preset' } }, { problems: [{ code: 'CONFIG_UNKNOWN_KEY' }] }],
  ['of the release file', at('/srv/jobs/slipway.yaml'), { problems: [at('slipway.yaml')] }],
  ['of no place', {}, { problems: [], codes: ['CONFIG_UNKNOWN_KEY'] }],
  ['that names the home', { ...at('a'), message: 'no /srv/home/x' }, { problems: [], codes: ['CONFIG_UNKNOWN_KEY'] }],
  ['that is denied', { ...at('a'), class: 'denied' }, { problems: [], codes: ['CONFIG_UNKNOWN_KEY'] }],
  ['that is a bug', { ...at('a'), class: 'bug' }, { problems: [], codes: ['CONFIG_UNKNOWN_KEY'] }],
])('given planning that fails by a problem %s, then the one reply says so', async (_, problem, told) => {
  const warned: Problem[] = [];
  const of = await ports({ planner: failing(problem), warn: (one) => warned.push(one) });
  const answer = await read(of, github.add('/test night', 'ann').id);
  expect(answer).toMatchObject({ reply: { kind: 'mistakes', mark: 'run-1', ...told } });
  expect(answer!.start).toBeUndefined();
  expect(renderReply(answer!.reply)).toContain('`CONFIG_UNKNOWN_KEY`');
  expect(renderReply(answer!.reply)).not.toContain('/srv');
  expect(warned).toHaveLength('codes' in told ? 1 : 0);
});

test.each<[what: string, error: Error, code: string]>([
  [
    'a release file that is absent',
    fail({
      code: 'RELEASE_FILE_ABSENT',
      class: 'config',
      message: 'there is no file "/srv/a.yaml"',
      next: 'Write it.',
    }),
    'RELEASE_FILE_ABSENT',
  ],
  [
    'a worker that lacked rights for ten attempts',
    Object.assign(new Error('EACCES: permission denied, open /srv/a'), { code: 'EACCES' }),
    'NOT_PERMITTED',
  ],
  ['an error that nobody foresaw', new TypeError('x is no function in /srv/a.js'), 'UNEXPECTED'],
])('given %s, then the reply has its code and no path, beside the mistakes of the comment', async (_, error, code) => {
  const of = await ports({ fetchHead: () => Promise.reject(error) });
  const answer = await read(of, github.add('/test night\n/var a', 'ann').id, 'run-1', 10);
  const text = renderReply(answer!.reply);
  expect(answer!.reply).toMatchObject({ mistakes: [{ line: 2 }], problems: [] });
  expect(text).toMatch(/the operator must look: `[A-Z_]+`/);
  expect(text).toContain(code);
  expect(text).not.toContain('/srv');
});

test('given an outage of planning, then it is thrown for Temporal, and told after ten attempts', async () => {
  const of = await ports({ planner: failing({ class: 'infra', code: 'SERVER_AWAY' }) });
  const { id } = github.add('/test night', 'ann');
  await expect(read(of, id, 'run-1', 9)).rejects.toThrow('SERVER_AWAY');
  expect(await read(of, id, 'run-1', 10)).toMatchObject({ reply: { kind: 'mistakes', codes: ['SERVER_AWAY'] } });
});

test('given an attempt that is to end, then it answers nothing', async () => {
  const ended = { ...to(), signal: AbortSignal.abort() };
  const { id } = github.add('/test night', 'ann');
  await expect(read(await ports({ to: ended }), id)).rejects.toThrow();
  expect(await read(await ports(), id, 'run-2')).not.toBeNull();
});

test('given a token that may not ask for permissions, then the reply has the code', async () => {
  const { id } = github.add('/test night', 'ann');
  github.faults.push({ of: 'GET /collaborators', fault: { status: 403 } });
  expect(await read(await ports(), id)).toMatchObject({ reply: { mistakes: [], codes: ['GITHUB_DENIED'] } });
});

test.each([
  [{ repository: '../../etc', comment: 1 }, 'comment/../../etc/1'],
  [{ repository: 'skiff/boat', comment: 1.5 }, 'comment/skiff/boat/1.5'],
  [{ repository: 'skiff/boat', comment: 1 }, 'comment/skiff/boat/2'],
  [{ repository: 'skiff/other', comment: 1 }, 'comment/skiff/other/1'],
])('given the input %j of another program under %s, then GitHub is not asked', async (input, workflowId) => {
  const asked = readComment({ ...(await ports()), asks: { runId: 'run-1', workflowId, attempt: 1 } }, input);
  await expect(asked).rejects.toThrow('COMMENT_');
  expect(github.asked).toEqual([]);
});

test.each([
  [401, {}, 'GITHUB_DENIED'],
  [403, { 'retry-after': '3600' }, 'GITHUB_LIMITED'],
  [
    429,
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 3600) },
    'GITHUB_LIMITED',
  ],
  [502, {}, 'TARGET_'],
])(
  'given GitHub answers %i %j, then the error is %s, nothing is read, and no secret is told',
  async (status, headers, code) => {
    const { id } = github.add('/test night', 'ann');
    github.faults.push({ of: 'GET', fault: { status, headers } });
    const asked = read(await ports(), id, 'run-9');
    await expect(asked).rejects.toThrow(code);
    await expect(asked).rejects.not.toThrow(github.token);
    expect(await read(await ports(), id, 'run-10')).not.toBeNull();
  },
);

test.each([
  ['one second', () => '2026-01-01T00:00:00Z'],
  ['a second each', (at: number) => new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString().replace('.000Z', 'Z')],
])(
  'given 1,000 comments of %s, then a poll asks 11 times at most and finds all, and once when nothing is new',
  async (_, at) => {
    for (let no = 0; no < 1000; no += 1)
      Object.assign(github.add('/test night', 'ann'), { at: at(no), updated: at(no) });
    const empty = aStore();
    const of = { store: empty, to: to(), now: () => Date.UTC(2026, 0, 1) };
    const poll = async (seen?: Seen) => {
      const before = github.asked.length;
      const found = await listComments(of, seen);
      return { ...found, asked: github.asked.length - before };
    };
    const first = await poll();
    expect(first.unread).toHaveLength(1000);
    expect(first.asked).toBeLessThanOrEqual(11);
    for (const { comment } of first.unread) await empty.create(`comments/skiff/boat/${comment}`, { run: 'x' });
    const second = await poll(first.seen);
    expect(second.unread).toEqual([]);
    // GitHub lets nobody write 1,000 comments within a second.
    if (at(0) === at(1)) return;
    const third = await poll(second.seen);
    expect(third).toMatchObject({ unread: [], asked: 1, seen: second.seen });
    const late = Object.assign(github.add('/test night', 'ann'), { updated: '2026-02-01T00:00:00Z' });
    expect((await poll(third.seen)).unread).toEqual([{ repository: 'skiff/boat', comment: late.id }]);
  },
);

const place = (comment: Comment) => ({
  ...{ repository: 'skiff/boat', comment: comment.id, issue: 1, mark: '0a1b', since: comment.at },
});
const REPLY: ReplyState = { mark: '0a1b', kind: 'cancelled', runs: [], by: 'ann' };

test('given a reply that was created and its answer lost, then the next attempt changes that one', async () => {
  const comment = github.add('/cancel', 'ann');
  github.faults.push({ of: 'POST /issues/1/comments', fault: 'lost' });
  await expect(tellReply(to(), { place: place(comment), reply: REPLY }, false)).rejects.toThrow('TARGET_UNREACHABLE');
  expect(await tellReply(to(), { place: place(comment), reply: REPLY }, true)).toBe(github.replies()[0]!.id);
  expect(github.replies()).toHaveLength(1);
});

test('given a stranger who quotes the mark of a reply, then another comment is not changed', async () => {
  const comment = github.add('/cancel', 'ann');
  github.add('see <!-- slipway 0a1b -->', 'eve');
  expect(await tellReply(to(), { place: place(comment), reply: REPLY }, true)).toBe(github.replies()[0]!.id);
});

test('given more comments than a page, then the reply on the last page is found', async () => {
  const comment = github.add('/cancel', 'ann');
  for (let no = 0; no < 120; no += 1) github.add('chat', 'bob');
  const number = await tellReply(to(), { place: place(comment), reply: REPLY }, false);
  expect(await tellReply(to(), { place: place(comment), reply: REPLY }, true)).toBe(number);
  expect((await pageOf(to(), { issue: 1, since: comment.at, page: 1 })).hasNext).toBe(true);
});

test('given a run that changes each second, then its reply is changed each ten seconds, and at its end', async () => {
  let now = 1_000_000;
  const waiting: { at: number; go: () => void }[] = [];
  const pause = (ms: number) => new Promise<void>((go) => waiting.push({ at: now + ms, go }));
  const tick = async (ms: number) => {
    now += ms;
    for (const one of waiting.splice(0))
      if (one.at <= now) one.go();
      else waiting.push(one);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  const statuses = (async function* () {
    for (let no = 0; no < 25; no += 1) {
      yield { state: 'running', no } as unknown as RunStatus;
      await pause(1_000);
    }
    yield { state: 'ended', no: 25 } as unknown as RunStatus;
  })();
  const told: [number, number, boolean][] = [];
  const since = now;
  const all = followed({
    ...{ statuses, lastMs: 0, nowMs: () => now, pause, edited: () => undefined },
    tell: async (status, isLast) => void told.push([now - since, (status as unknown as { no: number }).no, isLast]),
  });
  for (let second = 0; second < 40; second += 1) await tick(1_000);
  expect(await all).toMatchObject({ no: 25 });
  expect(told.map(([at]) => at)).toEqual([10_000, 20_000, 30_000]);
  expect(told.at(-1)!.slice(1)).toEqual([25, true]);
});

test('given a plan with settings, then the reply tells which of them presets and options changed, and what is left out', async () => {
  const at = (line: number) => ({ place: { file: 'config.yaml', line } });
  const { digest } = await store.put(
    bytesOf(
      JSON.stringify({
        document: { load: { rate: 50, size: 3 }, name: 'echo' },
        assignments: [
          { path: 'load.rate', value: null, from: at(3) },
          { path: 'load.size', value: 1, from: at(4) },
          { path: 'name', value: 'echo', from: at(5) },
          { path: 'load.rate', value: 50, from: { ...at(9), preset: 'big', by: '--preset' } },
          { path: 'load.size', value: 3, from: { place: { file: '--set load.size=3' } } },
        ],
      }),
    ),
  );
  const plan = {
    ...{ release: { name: 'night', version: 'x' }, pipeline: true, profile: { name: 'local', rehearsal: false } },
    ...{ steps: [], dropped: [], settings: digest, assumed: [{ id: 'steps/clean', because: '--skip names it' }] },
  };
  const submit = async () => ({ plan: plan as unknown as Plan, digest });
  const answer = await read(await ports({ planner: { submit } }), github.add('/test night', 'ann').id);
  expect(answer!.reply).toMatchObject({
    planned: {
      settings: [
        { path: 'load.rate', value: '50', from: 'preset big (config.yaml:9), by --preset' },
        { path: 'load.size', value: '3', from: '--set load.size=3' },
      ],
      leftOut: [{ id: 'steps/clean', because: '--skip names it' }],
    },
  });
});

test.each<[what: string, key: string, preset: string]>([
  ['paths', 'k'.repeat(100_000), 'big'],
  ['sources', 'k', 'p'.repeat(100_000)],
])('given 10,000 settings whose %s have 1 GB, then the reply reads a part of them', async (_, key, preset) => {
  const leaves = Object.fromEntries(Array.from({ length: 10_000 }, (_one, no) => [no, 'v']));
  const from = { place: { file: 'config.yaml', line: 3 }, preset };
  const record = { document: { [key]: leaves }, assignments: [{ path: key, value: 1, from }] };
  const rows = changedRows(record as unknown as JsonObject);
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.length).toBeLessThan(15);
  const { digest } = await store.put(bytesOf(JSON.stringify(record)));
  const plan = {
    ...{ release: { name: 'night', version: 'x' }, pipeline: true, profile: { name: 'local', rehearsal: false } },
    ...{ steps: [], dropped: [], settings: digest },
  };
  const submit = async () => ({ plan: plan as unknown as Plan, digest });
  const answer = await read(await ports({ planner: { submit } }), github.add('/test night', 'ann').id);
  expect(JSON.stringify(answer).length).toBeLessThan(20_000);
});
