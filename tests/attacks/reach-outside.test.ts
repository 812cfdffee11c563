import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMakePlan } from '../../src/activities/plan/make-plan.js';
import { withJudgedAddresses, toJudgedHooks } from '../../src/activities/policy/judged-addresses.js';
import { createPlanner } from '../../src/adapters/facts/planner.js';
import { createTables } from '../../src/adapters/postgres/tables.js';
import { createWorkerPolicy } from '../../src/adapters/policy/index.js';
import { createInterpreters } from '../../src/adapters/python/interpreters.js';
import type { KindName } from '../../src/model/kinds.js';
import { Profile } from '../../src/model/schema/profile.js';
import type { StepOf } from '../../src/model/plan.js';
import type { Webhook } from '../../src/activities/notify/ports.js';
import { createBodies } from '../../src/workers/bodies.js';
import { FEATURE_NODES } from '../../src/features/node.js';
import { keepOutcome } from '../activities/reports/a-report.js';
import { anOutcome } from '../model/tests/an-outcome.js';
import { HEAD, planOf, problemsOf as problemsIn } from '../plan/a-plan.js';
import { rayStep } from '../support/a-cluster-test.js';
import { policyNaming } from '../support/naming-policy.js';
import { aPlan, aStep, newHome, realSurroundings, runBody } from '../support/run-body.js';
import { fakeSignatures } from '../support/sign-plan.js';
import { aPlanOf, databaseAt, DIGEST, PASSWORD, problemsOf } from './reached.js';

/** An address of this machine that is no loopback address: a server here answers it, as one outside would. */
const OUTSIDE =
  Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '0.0.0.0';

/** A server at all addresses, which counts connections and keeps what it was sent. */
let servers: Server[];
let connections: number;
let heard: string;
let connected: AbortController;
beforeEach(() => void ((servers = []), (connections = 0), (heard = ''), (connected = new AbortController())));
afterEach(() => servers.forEach((server) => server.close()));

async function listening(server: Server): Promise<number> {
  servers.push(server);
  server.on('connection', () => {
    connections += 1;
    connected.abort();
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A server that passes for Ray's dashboard, without any job. */
const dashboard = (): Promise<number> =>
  listening(
    createHttpServer(({ url }, answer) => {
      const isVersion = url === '/api/version';
      answer.writeHead(isVersion ? 200 : 404).end(isVersion ? '{"ray_version":"2.60.0"}' : '');
    }),
  );

/** A server that asks for the password in clear text, as PostgreSQL may. */
const database = (): Promise<number> =>
  listening(
    createServer((socket: Socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (piece) => {
        heard += piece.toString('latin1');
        if (heard.includes(PASSWORD)) socket.destroy();
        else socket.write(piece.length === 8 ? Buffer.from('N') : Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
      });
    }),
  );

/** Runs a step as a worker does, with a policy where one is given. */
async function attempt<K extends KindName>(
  step: StepOf<K>,
  rehearsal: boolean,
  env: object = {},
  policy = '',
  signal?: AbortSignal,
) {
  const home = await newHome();
  if (policy !== '') writeFileSync(join(home, 'policy.yaml'), policy, { mode: 0o600 });
  await keepOutcome(home, 't', anOutcome({ pipeline: 'night', run: 'run-1' }));
  const around = { env: { ...process.env, ...env } };
  const bodies = createBodies(realSurroundings(home, around), { interpreters: createInterpreters({}) }, FEATURE_NODES);
  const plan = aPlanOf(step as never, rehearsal);
  return problemsOf(
    runBody(bodies[step.kind as 'tidyUp']!, step as never, {
      home,
      plan,
      run: 'run-1',
      surroundings: around,
      ...(signal && { signal }),
    }),
  );
}

const aJobsTest = (address: string) =>
  rayStep({
    cluster: { name: 'far', manager: { by: 'jobs', address }, nodes: 1, cpus: 1, upMs: 5_000 },
    wait: { nodes: 1, forMs: 100 },
  });
const DATABASE_REPORT = aStep(
  'reportTests',
  { kind: 'postgres', url: '$DATABASE', table: 'results' },
  { id: 'reports/table', stage: 'report' },
);
describe('given a cluster of a rehearsal at an address outside', () => {
  const FILE = `${HEAD}deps: { ray: { requires: ['ray[default]'] } }
clusters: { far: { manager: jobs, address: 'http://192.0.2.1:8265' } }
tests: { spread: { needs: [deps/ray], cluster: far, run: t } }
`;
  const profile = (more: object) => ({
    profile: { name: 'own', content: Profile.parse({ rehearsal: true, ...more }) },
  });

  test('[D5] when it is planned, then it is refused at its line', () => {
    const found = problemsIn(FILE, profile({}));
    expect(found).toMatchObject([
      { code: 'REHEARSAL_ELSEWHERE', class: 'config', place: { file: 'slipway.yaml', line: 7 } },
    ]);
    expect(found[0]!.message).toContain('clusters.far is at "http://192.0.2.1:8265"');
  });

  test('[D5] when its hosts are reached by ssh, then it is refused: their names may mean any machine', () => {
    const rack = { clusters: { far: { hosts: ['127.0.0.1'], ray: '/opt/ray' } } };
    const byHosts = FILE.replace(/manager: jobs, address: '[^']*'/, 'manager: ssh');
    expect(problemsIn(byHosts, profile(rack))).toMatchObject([{ code: 'REHEARSAL_ELSEWHERE' }]);
  });

  test('[D5] when its plan comes from other software, then it is not accepted', async () => {
    const { store } = realSurroundings(await newHome());
    const planner = createPlanner(store, fakeSignatures, () => []);
    const nobody = { unserved: async () => [], slots: async () => ({}) };
    const plan = await planner.keep(aPlanOf(aJobsTest('http://192.0.2.1:8265') as never, true));
    const made = createMakePlan(planner, nobody)({ run: 'r', workflowId: 'rehearsal/night/1', plan });
    expect(await problemsOf(made)).toMatchObject([{ code: 'REHEARSAL_ELSEWHERE' }]);
  });

  test('[D5] when a worker runs its test, then nothing is connected', async () => {
    const port = await dashboard();
    const found = await attempt(aJobsTest(`http://${OUTSIDE}:${port}`), true);
    expect(connections).toBe(0);
    expect(found).toMatchObject([{ code: 'REHEARSAL_ELSEWHERE', class: 'config' }]);
  });
});

test('[D5] given a live run without a policy, then its cluster outside is not connected; a row allows it', async () => {
  const port = await dashboard();
  const step = aJobsTest(`http://${OUTSIDE}:${port}`);
  expect(await attempt(step, false)).toMatchObject([{ code: 'POLICY_MISSING', class: 'denied' }]);
  const elsewhere = `policy: 1\npublish: [{ kind: jobs, address: 'http://${OUTSIDE}:1' }]\n`;
  expect(await attempt(step, false, {}, elsewhere)).toMatchObject([{ code: 'POLICY_ADDRESS', class: 'denied' }]);
  expect(connections).toBe(0);
  await attempt(step, false, {}, elsewhere.replace(":1'", `:${port}'`), connected.signal);
  expect(connections).toBeGreaterThan(0);
});

test('[D5] given a rehearsal whose database is outside, then the password is not sent, and the step is not tried again', async () => {
  const port = await database();
  const found = await attempt(DATABASE_REPORT, true, databaseAt(OUTSIDE, port));
  expect({ connections, sent: heard.includes(PASSWORD) }).toEqual({ connections: 0, sent: false });
  expect(found).toMatchObject([{ code: 'REHEARSAL_ELSEWHERE', class: 'config' }]);
  expect(JSON.stringify(found)).not.toContain(PASSWORD);
});

test('[D5] given a live run without a policy, then its database outside gets no password', async () => {
  const port = await database();
  expect(await attempt(DATABASE_REPORT, false, databaseAt(OUTSIDE, port))).toMatchObject([{ code: 'POLICY_MISSING' }]);
  expect(connections).toBe(0);
  await attempt(DATABASE_REPORT, true, databaseAt('127.0.0.1', port));
  expect(heard).toContain(PASSWORD);
});

test.each(['host', '%68ost', 'port'])(
  '[D5] given a database whose query names another %s, then it gets nothing',
  async (key) => {
    const url = `${databaseAt('127.0.0.1', 1).DATABASE}?${key}=${key === 'port' ? await database() : OUTSIDE}`;
    const into = { name: 'reports.table', url, table: 'results', signal: new AbortController().signal };
    expect(await problemsOf(createTables().add(into, [{ key: 'a', row: {} }]))).toMatchObject([
      { code: 'POSTGRES_ADDRESS_WRONG' },
    ]);
    expect(connections).toBe(0);
  },
);

describe('given a name that was loopback when planned', () => {
  const policy = createWorkerPolicy({}, '/nowhere');
  const reached: string[] = [];
  const runWith = (step: StepOf<KindName>, rehearsal: boolean, ip: string, env: object = {}) => {
    reached.length = 0;
    const hosts = { lookUp: async () => ['127.0.0.1', ip] };
    const body = withJudgedAddresses({ policy, hosts }, async () => {
      reached.push(step.id);
      return { artifacts: [], note: '' };
    });
    const surroundings = { env: { ...process.env, ...env } };
    return problemsOf(runBody(body as never, step, { plan: aPlanOf(step, rehearsal), surroundings }));
  };

  test('[D5] when it is another machine for the worker, then its cluster gets nothing', async () => {
    const found = await runWith(aJobsTest('http://localhost:8265') as never, true, '192.0.2.7');
    expect(found).toMatchObject([{ code: 'REHEARSAL_ELSEWHERE', message: expect.stringContaining('192.0.2.7') }]);
    expect(reached).toEqual([]);
  });

  test('[D5] when it is another machine for the worker, then its database gets nothing', async () => {
    const found = await runWith(DATABASE_REPORT as never, true, '192.0.2.7', databaseAt('localhost', 5432));
    expect(found).toMatchObject([{ code: 'REHEARSAL_ELSEWHERE' }]);
    expect(reached).toEqual([]);
  });

  test.each(['169.254.169.254', 'fe80::1', '::ffff:169.254.169.254'])(
    '[D5] when it is the link-local %s for the worker, then a live run gets nothing there either',
    async (ip) => {
      const found = await runWith(aJobsTest('http://localhost:8265') as never, false, ip);
      expect(found).toMatchObject([{ code: 'ADDRESS_LINK_LOCAL', class: 'denied' }]);
      expect(reached).toEqual([]);
    },
  );

  test('when it is loopback for the worker, then the body runs', async () => {
    expect(await runWith(aJobsTest('http://localhost:8265') as never, true, '::1')).toEqual([]);
    expect(reached).toEqual(['tests/spread']);
  });
});

test('[D5] given a reference whose command prints another address each time, then the body finds the one that was judged', async () => {
  const home = await newHome();
  const seen: string[] = [];
  const step = aStep('reportTests', {
    ...{ kind: 'postgres', table: 'results' },
    url: `command:echo x >> ${home}/n; echo "postgres://a:b@127.0.0.$(wc -l < ${home}/n)/c"`,
  } as const);
  const ports = { policy: createWorkerPolicy({}, home), hosts: { lookUp: async () => [] } };
  await runBody(
    withJudgedAddresses(ports, async (work) => {
      seen.push(await work.secret(step.params.kind === 'postgres' ? step.params.url : ''));
      return { artifacts: [], note: '' };
    }) as never,
    step,
    {
      plan: aPlanOf(step as never, true),
      surroundings: { policy: policyNaming(step.params.kind === 'postgres' ? step.params.url : '') },
    },
  );
  expect(seen).toEqual(['postgres://a:b@127.0.0.1/c']);
});

describe('given messages of a run', () => {
  const sent: string[] = [];
  const webhook: Webhook = { post: async ({ url }) => (sent.push(url), { status: 200, said: '' }) };
  const post = async (url: string, rehearsal: boolean, text = '') => {
    sent.length = 0;
    const home = await newHome();
    if (text !== '') writeFileSync(join(home, 'policy.yaml'), text, { mode: 0o600 });
    const ports = { policy: createWorkerPolicy({}, home), hosts: { lookUp: async () => [] } };
    const plan = aPlan({ profile: { name: 'own', rehearsal } });
    const letter = { to: 'notify.team', url, headers: {}, body: '', signal: new AbortController().signal };
    return problemsOf(toJudgedHooks(ports, plan, webhook).post(letter));
  };
  const HOOK = 'https://chat.example/services/a-path-that-is-a-secret';

  test.each([
    ['a rehearsal', true, 'REHEARSAL_ELSEWHERE'],
    ['a live run without a policy', false, 'POLICY_MISSING'],
  ])(
    '[D5] when a webhook outside is told of %s, then nothing is sent, and its path is not told',
    async (_, rehearsal, code) => {
      const found = await post(HOOK, rehearsal);
      expect(found).toMatchObject([{ code }]);
      expect(JSON.stringify(found)).not.toContain('a-path-that');
      expect(sent).toEqual([]);
    },
  );

  test('when a row has its server, then it is sent', async () => {
    const row = "policy: 1\npublish: [{ kind: webhook, address: 'https://chat.example' }]\n";
    expect(await post(HOOK, false, row)).toEqual([]);
    expect(sent).toEqual([HOOK]);
  });

  test('[D5] when a rehearsal names a webhook outside in its file, then it is refused at its line', () => {
    const file = (rehearsal: boolean): string =>
      `${HEAD}steps: { a: { run: echo } }\nnotify: { team: { webhook: '${HOOK}', rehearsal: ${rehearsal} } }\n`;
    expect(problemsIn(file(true))).toMatchObject([{ code: 'REHEARSAL_ELSEWHERE', place: { line: 7 } }]);
    expect(problemsIn(file(false))).toEqual([]);
  });
});

test('given a rehearsal that pulls a base, then its registry may be anywhere: it gets nothing', () => {
  const made = planOf(
    `${HEAD}bases: { node: { image: 'registry.example/x@${DIGEST}' } }\nimages: { a: { base: node } }\n`,
  );
  expect(made.steps.map(({ kind }) => kind)).toContain('makeBase');
});
