import { createTargets } from '../../src/adapters/targets.js';
import { candidates } from '../../src/adapters/index/addresses.js';
import { connect } from '../../src/activities/publish/connect.js';
import type { Connection } from '../../src/activities/publish/ports.js';
import type { SlipwayFailure } from '../../src/model/failure.js';
import type { Target } from '../../src/model/target.js';
import { aTarget } from '../activities/publish/release.js';
import { type Asked, type OwnServer, startServer } from '../adapters/http/a-server.js';
import { aPlan, aStep, newHome, runBody } from '../support/run-body.js';

/** Two origins: the target of the profile, and a server that answers with a question for a password. */
let target: OwnServer;
let evil: OwnServer;
beforeEach(async () => {
  target = await startServer();
  evil = await startServer((_, answer) => void answer.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end());
});
afterEach(() => Promise.all([target.stop(), evil.stop()]));

const connection = (more: Partial<Connection>): Connection => ({
  name: 'hub',
  kind: 'oci',
  address: target.address,
  repository: 'team/skiff',
  username: 'me',
  password: 'the-credential',
  staging: null,
  extra: null,
  secrets: {},
  version: '1.2.3',
  ...more,
});

/** Proves a target as a release does before it builds. Returns the code of its failure. */
async function provenCode(more: Partial<Connection>): Promise<string> {
  const proving = runBody(
    async (work) => {
      await createTargets().open(connection(more), work).prove('skiff', '1.2.3', []);
      return { artifacts: [], note: '' };
    },
    aStep('writeReport', {}),
    { home: await newHome() },
  );
  return proving.then(
    () => 'proved',
    (error: SlipwayFailure) => error.first?.code ?? String(error),
  );
}

const credentials = (server: OwnServer): readonly string[] =>
  server.asked.flatMap(({ headers, body }: Asked) => [
    ...(headers.authorization ? [headers.authorization] : []),
    ...(body.includes('the-credential') ? [body] : []),
  ]);

const challenge =
  (text: string): OwnServer['answers'] =>
  (_, answer) =>
    void answer.writeHead(401, { 'www-authenticate': text }).end();

describe('[H9] a foreign server asks for a credential', () => {
  test('given a registry whose token realm is another server, when it is proved, then that server is not asked', async () => {
    target.answers = challenge(`Bearer realm="${evil.address}/token",service="x"`);
    expect(await provenCode({})).toBe('TOKEN_REALM_FOREIGN');
    expect(evil.asked).toEqual([]);
  });

  test('given a realm that the profile names, when the registry is proved, then it gets the credential', async () => {
    target.answers = challenge(`Bearer realm="${evil.address}/token",service="x"`);
    expect(await provenCode({ extra: { kind: 'oci', realm: `${evil.address}/token` } })).toBe('TARGET_DENIED');
    expect(credentials(evil)).toHaveLength(1);
  });

  test('given a realm without TLS on another machine, when the profile names it, then it is refused', async () => {
    const realm = 'http://registry.example.invalid/token';
    target.answers = challenge(`Bearer realm="${realm}",service="x"`);
    expect(await provenCode({ extra: { kind: 'oci', realm } })).toBe('TOKEN_REALM_FOREIGN');
  });

  test.each([['Bearer service="x"'], ['Bearer realm="nowhere"'], ['Bearer realm=""']])(
    'given the challenge %s, when a token is wanted, then it is a coded failure',
    async (text) => {
      target.answers = challenge(text);
      expect(await provenCode({})).toBe('TOKEN_REALM_ABSENT');
    },
  );

  test('given a registry that sends uploads to another server, when it is proved, then that server gets no credential', async () => {
    target.answers = ({ method }, answer) =>
      void (
        method === 'POST' ? answer.writeHead(202, { location: `${evil.address}/upload/1` }) : answer.writeHead(404)
      ).end();
    expect(await provenCode({})).toBe('CREDENTIAL_NOT_SENT');
    expect([evil.asked.length, credentials(evil)]).toEqual([1, []]);
  });

  test.each([
    ['maven', { kind: 'maven', repository: null }],
    ['python', { kind: 'python', repository: null }],
  ] as const)(
    'given a %s target that redirects to another server, when it is proved, then that server gets no credential',
    async (_, more) => {
      target.answers = ({ url }, answer) => void answer.writeHead(302, { location: `${evil.address}${url}` }).end();
      expect(await provenCode({ ...more, address: `${target.address}/releases/` })).toMatch(
        /^(CREDENTIAL_NOT_SENT|TARGET_DENIED)$/,
      );
      expect([evil.asked.length > 0, credentials(evil)]).toEqual([true, []]);
    },
  );

  test('given an index page that links to another server, when a file is observed, then that server gets no credential', async () => {
    const page = { files: [{ filename: 'skiff-1.2.3.tar.gz', url: `${evil.address}/skiff-1.2.3.tar.gz`, hashes: {} }] };
    target.answers = (_, answer) =>
      void answer.writeHead(200, { 'content-type': 'application/vnd.pypi.simple.v1+json' }).end(JSON.stringify(page));
    const observing = runBody(
      async (work) => {
        const index = createTargets().open(connection({ kind: 'python', repository: null }), work);
        const sdist = { digest: 'sha256:00', kind: 'sdist', name: 'skiff-1.2.3.tar.gz', size: 1, labels: {} } as const;
        await index.observe(index.items(sdist, [])[0]!);
        return { artifacts: [], note: '' };
      },
      aStep('writeReport', {}),
      { home: await newHome() },
    );
    await expect(observing).rejects.toThrow('CREDENTIAL_NOT_SENT');
    expect([evil.asked.length, credentials(evil)]).toEqual([1, []]);
  });

  test('given a git server that redirects to another one, when a tag is proved, then that server is not asked', async () => {
    target.answers = ({ url }, answer) => void answer.writeHead(302, { location: `${evil.address}${url}` }).end();
    const extra = { kind: 'git-tag', tag: 'v1', message: 'one', commit: 'c'.repeat(40) } as const;
    await provenCode({ kind: 'git-tag', repository: null, address: `${target.address}/skiff.git`, extra });
    expect(evil.asked).toEqual([]);
  });

  test('given an upload host, when the index is looked up, then no other host is guessed', () => {
    const hosts = candidates('https://upload.index.invalid/legacy/').map((url) => new URL(url).host);
    expect(new Set(hosts)).toEqual(new Set(['upload.index.invalid']));
  });
});

describe('[D9] a profile names a service of the home', () => {
  const login = (): { username: string; password: string } => ({ username: 'root', password: 'the-secret' });
  const work = {
    ...{ plan: aPlan({}), step: { params: {} }, login },
    ...{ address: (text: string) => text, secret: (text: string) => Promise.resolve(text) },
  };
  const taken = async (kind: Target['kind'], address: string) => {
    const { password, stagingLogin } = await connect(work, aTarget({ kind, address, username: null, password: null }));
    return { password, stagingLogin: stagingLogin?.password ?? null };
  };

  test.each(['index', 'maven', 'registry', 'staging'])(
    'given a command target at service:%s, then its lines get no secret of the home',
    async (service) => {
      expect(await taken('command', `service:${service}`)).toEqual({ password: null, stagingLogin: null });
    },
  );
  test.each(['python', 'maven', 'oci', 's3', 'git-tag'] as const)(
    'given a %s target at a service of another kind, or at an address, then it gets no secret of that service',
    async (kind) => {
      const own = { python: 'index', maven: 'maven', oci: 'registry' }[kind as string];
      for (const service of ['index', 'maven', 'registry', 'staging'].filter((name) => name !== own))
        expect((await taken(kind, `service:${service}`)).password).toBeNull();
      expect((await taken(kind, 'http://127.0.0.1:6666/')).password).toBeNull();
    },
  );
  test('given targets at the services of their kinds, then they get it', async () => {
    for (const [kind, service] of [
      ['python', 'index'],
      ['maven', 'maven'],
      ['oci', 'registry'],
    ] as const)
      expect((await taken(kind, `service:${service}`)).password).toBe('the-secret');
  });

  const without = { ...work, login: () => null };
  const withPassword = aTarget({ kind: 'python', address: 'service:index', username: 'me', password: 'profile' });
  test('given a worker without the login of the home, then the password of the profile does not go to its service', async () => {
    await expect(connect(without, withPassword)).rejects.toMatchObject({ first: { code: 'HOME_LOGIN_ABSENT' } });
  });
  test('given a verification without the login of the home, then it reads without the password of the profile', async () => {
    expect(await connect(without, withPassword, 'where they are here')).toMatchObject({
      username: null,
      password: null,
    });
  });
  test('given a service of the home that asks for no login, then a target without a password reaches it', async () => {
    expect(await connect(without, { ...withPassword, username: null, password: null })).toMatchObject({
      password: null,
    });
  });
});
