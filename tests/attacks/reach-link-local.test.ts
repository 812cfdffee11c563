import dns from 'node:dns';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runInThisContext } from 'node:vm';
import { createRemoteDashboard } from '../../src/adapters/clusters/dashboard.js';
import { openLists } from '../../src/adapters/facts/lists/index.js';
import { createTables } from '../../src/adapters/postgres/tables.js';
import { request } from '../../src/adapters/http/request.js';
import type { KindName } from '../../src/model/kinds.js';
import { addressProblem } from '../../src/model/policy/address.js';
import { receiver } from '../../src/plan/policy/receivers.js';
import { isLinkLocal } from '../../src/model/policy/link-local.js';
import { Profile } from '../../src/model/schema/profile.js';
import type { StepOf } from '../../src/model/plan.js';
import { governed } from '../../src/workers/bodies.js';
import { HEAD, problemsOf as problemsIn } from '../plan/a-plan.js';
import { aStep, newHome, runBody } from '../support/run-body.js';
import { aPlanOf, databaseAt, DIGEST, problemsOf } from './reached.js';

test.each([
  ['a base', `bases: { node: { image: '169.254.169.254/x@${DIGEST}' } }\nimages: { a: { base: node } }\n`],
  [
    'a cluster',
    "clusters: { far: { manager: jobs, address: 'http://[fe80::1]:8265' } }\ndeps: { r: { requires: [a] } }\ntests: { t: { needs: [deps/r], cluster: far, run: t } }\n",
  ],
])('[D5] given %s at a link-local address, then no profile plans it', (_, more) => {
  const live = { profile: { name: 'live', content: Profile.parse({ rehearsal: false }) } };
  expect(problemsIn(`${HEAD}${more}`, live)).toMatchObject([{ code: 'ADDRESS_LINK_LOCAL', place: { line: 6 } }]);
});

test('[D5] given a profile whose registry of bases is link-local, then it is refused at its line of the profile', () => {
  const at = (path: readonly (string | number)[]) => ({
    place: { file: 'live.yaml', line: 2, column: 1 },
    path: path.join('.'),
  });
  const content = Profile.parse({ rehearsal: false, registry: '169.254.169.254:5000/mirror' });
  const base = `bases: { node: { image: 'team/x@${DIGEST}' } }\nimages: { a: { base: node } }\n`;
  expect(problemsIn(`${HEAD}${base}`, { profile: { name: 'live', content, at: at as never } })).toMatchObject([
    { code: 'ADDRESS_LINK_LOCAL', path: 'registry', place: { file: 'live.yaml', line: 2 } },
  ]);
});

test('[D5] given a server that leads to a link-local address, then it is not followed', async () => {
  const server = createHttpServer((_, answer) =>
    answer.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const peer = { target: 'shelf', username: null, password: null, origin: null, signal: new AbortController().signal };
  const found = await problemsOf(request({ ...peer, patienceMs: 2_000 }, `http://127.0.0.1:${port}/`));
  server.close();
  expect(found).toMatchObject([{ code: 'ADDRESS_LINK_LOCAL', class: 'denied' }]);
});

const SPELLINGS = [
  ...['0251.0376.0251.0376', '2852039166', '0xa9fea9fe', '169.16689662', '169.254.169.254.', '%31%36%39.254.169.254'],
  ...['[0:0:0:0:0:ffff:a9fe:a9fe]', '[::ffff:169.254.169.254]', '[64:ff9b::a9fe:a9fe]', '[FEBF::1]'],
];
test.each(SPELLINGS)(
  '[D5] given the link-local %s in the address of a cluster or a base, then it is refused',
  (host) => {
    const base = `bases: { node: { image: '${host}/x@${DIGEST}' } }\nimages: { a: { base: node } }\n`;
    const cluster = `clusters: { far: { manager: jobs, address: 'http://${host}:8265' } }
deps: { r: { requires: [a] } }\ntests: { t: { needs: [deps/r], cluster: far, run: t } }\n`;
    const live = { profile: { name: 'live', content: Profile.parse({ rehearsal: false }) } };
    const codes = [base, cluster].map((more) => problemsIn(`${HEAD}${more}`, live).map(({ code }) => code));
    expect(codes[1]).toEqual(['ADDRESS_LINK_LOCAL']);
    // Some spellings are no names of an image.
    expect(codes[0]).not.toEqual([]);
  },
);

test.each(['http://169.254.1.1\\@a.example/', 'http://a.example\\@169.254.1.1/', 'http://169.254.1.1?@a.example/'])(
  '[D5] given %s, which programs read differently, then both hosts are judged',
  (address) => {
    const named = receiver('read', ['wheels', 'a'], address);
    expect(addressProblem(named, false)).toMatchObject({ code: 'ADDRESS_LINK_LOCAL' });
  },
);

test.each(['127.0.0.1', '2130706433', 'fe80.example', '::1', '169.253.0.1', '1.2.3.4.5', 'fec0::1', '[::1'])(
  'given the host %s, then it is not link-local',
  (host) => expect(isLinkLocal(host)).toBe(false),
);

test.each(['http://169.254.169.254/x', 'git@169.254.169.254:x', 'ssh://git@[fe80::1]/x', 'http://2852039166/x'])(
  '[D5] given a list at %s, then planning does not start git',
  async (git) => {
    const spot = { place: { file: 'slipway.yaml', line: 7 }, path: 'wheels.constraints.git' };
    const lists = openLists({ folder: await newHome(), offline: false, spot });
    const refused = { code: 'ADDRESS_LINK_LOCAL', place: { line: 7 }, path: spot.path };
    expect(await problemsOf(lists.branches(git))).toMatchObject([refused]);
    expect(await problemsOf(lists.texts(git, '0'.repeat(40), ['x']))).toMatchObject([refused]);
  },
);

describe('given a name with another address at each look-up', () => {
  const AGENT = Symbol.for('undici.globalDispatcher.1');
  const sandbox = globalThis as unknown as Record<symbol, unknown>;
  afterEach(() => void (jest.restoreAllMocks(), delete sandbox[AGENT]));

  /** Names lead to this machine at first, then to a cloud's credentials. Null: the first look-up fails. */
  function names(first: string | null): void {
    const answers = [first, '169.254.169.254'];
    const next = (): string | null => (answers.length > 1 ? answers.shift()! : answers[0]!);
    jest.spyOn(dns.promises, 'lookup').mockImplementation((async () => {
      const address = next();
      if (address === null) throw Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' });
      return [{ address, family: 4 }];
    }) as never);
    jest
      .spyOn(dns, 'lookup')
      .mockImplementation(((_: string, __: object, done: (error: null, found: object) => void) =>
        done(null, [{ address: next(), family: 4 }])) as never);
  }
  const peer = { target: 'shelf', username: null, password: null, origin: null, signal: new AbortController().signal };
  const asked = () => problemsOf(request({ ...peer, patienceMs: 2_000 }, 'http://turning.example/'));

  test('[D5] when a request connects, then the second address is judged', async () => {
    // The sandbox of a test hides what fetch itself sees.
    void new Headers();
    sandbox[AGENT] = (runInThisContext('globalThis') as typeof sandbox)[AGENT];
    names('127.0.0.1');
    // To fetch, errors of the sandbox are no errors: it keeps their words alone.
    expect(JSON.stringify(await asked())).toContain('turning.example is 169.254.169.254');
  });

  test('[D5] when the first look-up fails, then nothing is sent', async () => {
    names(null);
    const sent = jest.spyOn(globalThis, 'fetch');
    expect(await asked()).toMatchObject([{ code: 'TARGET_UNREACHABLE' }]);
    expect(sent).not.toHaveBeenCalled();
  });

  test('[D5] when a cluster is dialled, then the second address is judged', async () => {
    names('127.0.0.1');
    const found = await problemsOf(createRemoteDashboard('http://turning.example').ask('GET', '/'));
    expect(found).toMatchObject([{ code: 'ADDRESS_LINK_LOCAL' }]);
  });

  test('[D5] when a database is connected, then its address is judged again', async () => {
    names('169.254.169.254');
    const into = { name: 'reports.table', url: databaseAt('turning.example', 5432).DATABASE, table: 'results' };
    const signal = new AbortController().signal;
    const found = await problemsOf(createTables().add({ ...into, signal }, [{ key: 'a', row: {} }]));
    expect(found).toMatchObject([{ code: 'ADDRESS_LINK_LOCAL' }]);
  });

  const READS = [
    aStep('makeBase', { from: { image: `turning.example/x@${DIGEST}` } } as never),
    aStep('takeWheel', { from: { at: 'https://turning.example/x.whl' } } as never),
  ] as unknown as StepOf<KindName>[];
  test.each(READS.map((step) => [step.kind, step] as const))(
    '[D5] when a step of kind %s asks it, then it is judged before, and elsewhere is allowed',
    async (kind, step) => {
      let ran = 0;
      const own = { [kind]: async () => ((ran += 1), { artifacts: [], note: '' }) };
      const body = governed(own as never, { env: {}, home: await newHome() })[kind];
      const run = () => problemsOf(runBody(body as never, step, { plan: aPlanOf(step, true) }));
      names('169.254.169.254');
      expect(await run()).toMatchObject([{ code: 'ADDRESS_LINK_LOCAL' }]);
      expect(ran).toBe(0);
      names('192.0.2.7');
      expect(await run()).toEqual([]);
    },
  );
});
