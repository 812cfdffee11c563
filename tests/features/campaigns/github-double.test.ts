import { spawn } from 'node:child_process';
import { createSign, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { type GithubDouble, startGithub } from '../../doubles/github.js';
import { addComment, addPull, deliveryOf, push } from '../../doubles/github-routes.js';

let github: GithubDouble;
let nowMs: number;
beforeEach(async () => {
  github = await startGithub();
  nowMs = Date.parse('2026-11-26T20:00:00Z');
  github.now = () => nowMs;
});
afterEach(() => github.stop());

interface Asked {
  readonly method?: string;
  readonly body?: object;
  readonly headers?: Record<string, string>;
  readonly token?: string;
}
async function ask(path: string, { method = 'GET', body, headers, token = github.token }: Asked = {}) {
  const whole =
    /^\/(app|control)\//.test(path) || path.startsWith('http') ? path : `/repos/${github.repository}${path}`;
  const response = await fetch(new URL(whole, github.address), {
    ...{ method, headers: { authorization: `Bearer ${token}`, ...headers } },
    ...(body && { body: JSON.stringify(body) }),
  });
  const said = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    said,
    body: (said.startsWith('[') || said.startsWith('{') ? JSON.parse(said) : null) as any,
  };
}
const ids = (body: { id: number }[]): readonly number[] => body.map(({ id }) => id);
const nextOf = (headers: Headers): string | undefined => /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];

describe('Comments', () => {
  it('come on pages of 30, or of up to 100, with their neighbours in Link', async () => {
    const { number } = addPull(github, { author: 'alice' });
    for (let at = 0; at < 250; at += 1) addComment(github, number, 'alice', `${at}`);
    const first = await ask(`/issues/${number}/comments`);
    expect([first.body.length, nextOf(first.headers)]).toEqual([30, expect.stringContaining('page=2')]);
    const all: number[] = [];
    let pages = 0;
    for (let at: string | undefined = `/issues/comments?per_page=1000`; at !== undefined; pages += 1) {
      const { headers, body } = await ask(at);
      all.push(...ids(body));
      at = nextOf(headers);
    }
    expect([pages, all.length, new Set(all).size]).toEqual([3, 250, 250]);
  });

  it('are those that changed since a time, in the order that is asked for', async () => {
    const [one, two] = [addPull(github, { author: 'alice' }).number, addPull(github, { author: 'bob' }).number];
    const [old, changed] = [addComment(github, one, 'alice', 'old'), addComment(github, two, 'bob', 'a')];
    nowMs += 60_000;
    const young = addComment(github, one, 'alice', 'young');
    nowMs += 1_500;
    await ask(`/issues/comments/${changed.id}`, { method: 'PATCH', body: { body: 'b' } });
    const since = '/issues/comments?since=2026-11-26T20:01:00Z';
    expect(ids((await ask(since)).body)).toEqual([changed.id, young.id]);
    expect(ids((await ask(`${since}&sort=updated&direction=asc`)).body)).toEqual([young.id, changed.id]);
    expect(ids((await ask(`${since}&sort=created`)).body)).toEqual([young.id, changed.id]);
    expect(ids((await ask(`/issues/${one}/comments`)).body)).toEqual([old.id, young.id]);
    expect((await ask(`/issues/comments/${changed.id}`)).body).toMatchObject({
      ...{ body: 'b', user: { login: 'bob' }, created_at: '2026-11-26T20:00:00Z', updated_at: '2026-11-26T20:01:01Z' },
      issue_url: `${github.address}/repos/skiff/boat/issues/${two}`,
    });
  });

  it('answer 304 for a known ETag, which costs nothing of a limit', async () => {
    const { number } = addPull(github, { author: 'alice' });
    addComment(github, number, 'alice', 'a');
    github.limit = { left: 1, reset: nowMs / 1000 + 60 };
    const { headers } = await ask('/issues/comments');
    const known = { headers: { 'if-none-match': headers.get('etag')! } };
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
    nowMs += 60_000;
    github.limit = { left: 1, reset: nowMs / 1000 + 60 };
    expect(await ask('/issues/comments', known)).toMatchObject({ status: 304, said: '' });
    expect(github.limit.left).toBe(1);
    addComment(github, number, 'alice', 'b');
    expect((await ask('/issues/comments', known)).status).toBe(200);
    const refused = await ask('/issues/comments', known);
    expect([refused.status, refused.headers.get('x-ratelimit-reset')]).toEqual([403, String(github.limit.reset)]);
    nowMs += 60_000;
    expect((await ask('/issues/comments')).status).toBe(200);
  });

  it('are written, changed and deleted, and refused where they are empty or too long', async () => {
    const { number } = addPull(github, { author: 'alice' });
    const write = (body: string) => ask(`/issues/${number}/comments`, { method: 'POST', body: { body } });
    const { status, body } = await write('x'.repeat(65_536));
    expect([status, body.user.login]).toEqual([201, 'robot']);
    const at = `/issues/comments/${body.id}`;
    expect((await ask(at, { method: 'PATCH', body: { body: 'y' } })).status).toBe(200);
    expect([(await write(' ')).status, (await write('x'.repeat(65_537))).status]).toEqual([422, 422]);
    expect((await ask(at, { method: 'PATCH', body: { body: '' } })).status).toBe(422);
    expect([(await ask(at, { method: 'DELETE' })).status, (await ask(at)).status]).toEqual([204, 404]);
  });

  it('meet faults: lost after the act, down before it, a status with headers', async () => {
    const { number } = addPull(github, { author: 'alice' });
    const { id } = addComment(github, number, 'alice', 'a');
    const change = (body: string) => ask(`/issues/comments/${id}`, { method: 'PATCH', body: { body } });
    github.faults.push(
      { of: 'PATCH /issues/comments', fault: 'lost' },
      { of: 'PATCH /issues/comments', fault: 'down' },
    );
    github.faults.push({ of: 'PATCH /issues/comments', fault: { status: 403, headers: { 'retry-after': '7' } } });
    await expect(change('b')).rejects.toThrow();
    expect(github.issues[0]!.comments[0]!.body).toBe('b');
    await expect(change('c')).rejects.toThrow();
    expect((await change('d')).headers.get('retry-after')).toBe('7');
    expect(github.issues[0]!.comments[0]!.body).toBe('b');
    expect((await change('e')).status).toBe(200);
  });
});

describe('Pull requests and people', () => {
  it('have a head, its repository and its last push', async () => {
    const pull = addPull(github, { author: 'alice', head: 'a'.repeat(40), body: '/var a: 1' });
    const [fork, gone] = [
      addPull(github, { author: 'bob', from: 'bob/boat' }).number,
      addPull(github, { author: 'bob', from: null }).number,
    ];
    nowMs += 5_000;
    push(github, pull, 'b'.repeat(40));
    expect((await ask(`/pulls/${pull.number}`)).body).toMatchObject({
      ...{ number: 1, state: 'open', body: '/var a: 1', user: { login: 'alice' } },
      head: { sha: 'b'.repeat(40), ref: 'topic', repo: { full_name: 'skiff/boat', pushed_at: '2026-11-26T20:00:05Z' } },
    });
    expect((await ask(`/pulls/${fork}`)).body.head.repo.full_name).toBe('bob/boat');
    expect((await ask(`/pulls/${gone}`)).body.head.repo).toBeNull();
    expect((await ask('/activity?ref=refs/heads/topic&per_page=1')).body).toEqual([
      { ref: 'refs/heads/topic', timestamp: '2026-11-26T20:00:05Z' },
    ]);
    expect([(await ask('/pulls/9')).status, (await ask(`/issues/${fork}`)).body.pull_request]).toEqual([404, {}]);
  });

  it('have permissions, and roles that the older field does not know', async () => {
    Object.assign(github.people, { alice: 'maintain', bob: 'triage', ghost: null });
    const of = async (login: string) => (await ask(`/collaborators/${login}/permission`)).body;
    expect(await of('alice')).toMatchObject({ permission: 'write', role_name: 'maintain' });
    expect(await of('bob')).toMatchObject({ permission: 'read', role_name: 'triage' });
    expect(await of('carol')).toMatchObject({ permission: 'read', role_name: 'read' });
    expect((await ask('/collaborators/ghost/permission')).status).toBe(404);
  });

  it('are shown to a known token alone', async () => {
    addPull(github, { author: 'alice' });
    for (const path of ['/pulls/1', '/issues/comments', '/collaborators/a/permission', '/issues/1/comments'])
      expect((await ask(path, { token: 'other' })).status).toBe(401);
  });
});

describe('A token of an installation', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const jwt = (more: object = {}, alg = 'RS256', key = privateKey): string => {
    const now = nowMs / 1000;
    const text = `${part({ alg, typ: 'JWT' })}.${part({ iss: '12', iat: now - 60, exp: now + 540, ...more })}`;
    return `${text}.${createSign('RSA-SHA256').update(text).sign(key).toString('base64url')}`;
  };
  const tokenFor = (token: string, installation = '34') =>
    ask(`/app/installations/${installation}/access_tokens`, { method: 'POST', token });
  beforeEach(
    () =>
      (github.app = {
        id: '12',
        installation: '34',
        publicKey: publicKey.export({ type: 'spki', format: 'pem' }) as string,
      }),
  );

  it('is given for a JWT that the key signed, and lasts an hour', async () => {
    addPull(github, { author: 'alice' });
    const { status, body } = await tokenFor(jwt());
    expect([status, body.expires_at]).toEqual([201, '2026-11-26T21:00:00Z']);
    const written = await ask('/issues/1/comments', { method: 'POST', body: { body: 'a' }, token: body.token });
    expect(written.body.user.login).toBe('slipway[bot]');
    nowMs += 3_600_000;
    expect((await ask('/pulls/1', { token: body.token })).status).toBe(401);
  });

  it('is refused otherwise', async () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const now = nowMs / 1000;
    const wrong = [
      jwt({ iss: '13' }),
      jwt({ exp: now - 1 }),
      jwt({ exp: now + 900 }),
      jwt({ iat: now + 60 }),
      jwt({}, 'HS256'),
      jwt({}, 'RS256', other),
      'a.b.c',
      'a',
      github.token,
    ];
    for (const one of wrong) expect((await tokenFor(one)).status).toBe(401);
    expect((await tokenFor(jwt(), '35')).status).toBe(404);
  });
});

it('is handled without a program by routes of its own, and says what it would deliver', async () => {
  const send = (path: string, method: string, body?: object) =>
    ask(`/control/${path}`, { method, ...(body && { body }) });
  expect((await send('pulls', 'POST', { head: 'a'.repeat(40) })).said).toBe('1\n');
  expect((await send('pulls/1/comments', 'POST', { body: '/test night' })).said).toBe('101\n');
  expect(JSON.parse(deliveryOf(github, 101))).toMatchObject({
    ...{ action: 'created', issue: { number: 1, pull_request: {} }, repository: { full_name: 'skiff/boat' } },
    comment: { id: 101, body: '/test night', user: { login: 'alice' } },
  });
  expect((await send('delivery/101', 'GET')).said).toBe(`${deliveryOf(github, 101)}\n`);
  await send('comments/101', 'PATCH', { body: '/help' });
  expect((await send('comments', 'GET')).said).toBe('--- 101 on 1 by alice, changed 2026-11-26T20:00:00Z\n/help\n');
  await send('faults', 'POST', { of: 'GET /pulls', fault: { status: 500 } });
  expect([(await ask('/pulls/1')).status, (await send('people/bob', 'PUT', { role: 'admin' })).said]).toEqual([
    500,
    'bob admin\n',
  ]);
  expect([(await send('other', 'GET')).status, (await send('pulls/7/push', 'POST', { head: 'b' })).status]).toEqual([
    404, 400,
  ]);
});

it('runs as a program too', async () => {
  const program = spawn(process.execPath, ['tests/doubles/github-main.mjs', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [address] = (await once(program.stdout, 'data')) as [Buffer];
    const response = await fetch(`${address.toString().trim()}/control/pulls`, { method: 'POST', body: '{}' });
    expect([response.status, await response.text()]).toEqual([200, '1\n']);
  } finally {
    program.kill();
    await once(program, 'close');
  }
});
