/** @needs ray services docker */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../src/adapters/docker/connection.js';
import { packageRoot } from '../../src/adapters/home.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import type { Outcome } from '../../src/model/tests/outcome.js';
import { servicesFile } from '../../src/services/folders.js';
import type { ServicesState } from '../../src/services/state.js';
import { aHome } from '../services/a-home.js';
import { processesWith } from '../support/a-cluster-test.js';
import { freePort } from '../support/free-port.js';
import { endPrograms, type Said, slipway } from '../support/own-services.js';
import { until } from '../support/until.js';

/** How each attempt of the example's night ends. */
const ENDS = [
  'by_client 1: passed',
  'by_command 1: passed',
  'fails_with_7 1: TEST_FAILED product 7',
  'long_running_serve.kuberay 1: passed',
  'node_killed 1: passed',
  'prepare_fails 1: PREPARE_FAILED product 3',
  'stops_writing 1: ALERT product',
  'two_of_three 1: NODES_MISSING infra',
  'two_of_three 2: passed',
];

const project = mkdtempSync(join(tmpdir(), 'slipway-night-'));
let made: Awaited<ReturnType<typeof aHome>>;
let cloud: ChildProcess;
let ended: Said;
let outcomes: readonly Outcome[];

const run = (...args: readonly string[]): Promise<Said> =>
  slipway(join(project, 'examples', 'ray-night'), args, {
    // The index of packages is the one that this machine is configured for.
    ...(process.env as Record<string, string>),
    SLIPWAY_HOME: made.home,
    SLIPWAY_ROOTS: project,
  });

const services = (): ServicesState => JSON.parse(readFileSync(servicesFile(made.home), 'utf8')) as ServicesState;
const engine = () => connect(services().services['docker']!.address);

/** The example in a repository of its own, whose cloud listens on another port. */
async function aProject(): Promise<void> {
  const port = String(await freePort());
  const top = join(project, 'examples', 'ray-night');
  cpSync(join(packageRoot(), 'examples', 'ray-night'), top, { recursive: true });
  const path = join(top, 'slipway.yaml');
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(':8270', `:${port}`));
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', project, '-c', 'user.name=x', '-c', 'user.email=x@x', ...args]);
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '-m', 'all');
  const python = join(packageRoot(), '.tools', 'ray', 'bin', 'python');
  cloud = spawn(python, [join(top, 'cloud', 'cloud.py'), '--port', port], { stdio: 'ignore' });
}

/** Kills a container of the test `node_killed` once all its nodes work. */
async function killANode(): Promise<void> {
  await until(async () => /^3 nodes$/m.test((await run('logs', 'tests/node_killed')).stdout));
  const label = ['slipway.node=2'];
  const [container] = await engine().listContainers({ filters: { label } });
  await engine().getContainer(container!.Id).kill();
}

async function outcomesOf(home: string): Promise<readonly Outcome[]> {
  const store = createDirectoryStore(join(home, 'store'));
  const names = await store.list('outcomes/ray-night/');
  return Promise.all(names.map(async (name) => (await store.read(name)) as unknown as Outcome));
}

beforeAll(async () => {
  made = await aHome();
  mkdirSync(project, { recursive: true });
  await aProject();
  const up = await run('up');
  if (up.code !== 0) throw new Error(up.stderr);
  const night = run('run', '.', '--wait');
  await Promise.race([killANode(), night]);
  ended = await night;
  outcomes = await outcomesOf(made.home);
  if (outcomes.length === 0) throw new Error(ended.stdout + ended.stderr);
});

afterAll(async () => {
  endPrograms();
  cloud?.kill();
  if (made) await run('down');
  made?.remove();
  rmSync(project, { recursive: true, force: true, maxRetries: 5 });
});

const told = ({ title, attempt, code, class: kind, exit }: Outcome): string =>
  `${title} ${attempt}: ${code === null ? 'passed' : [code, kind, exit].filter((one) => one !== null).join(' ')}`;

describe('given the night of examples/ray-night on real clusters', () => {
  test('when it has ended, then each test ended as it must, and the run says that tests failed', () => {
    expect(outcomes.map(told).sort()).toEqual(ENDS);
    expect(ended).toMatchObject({ code: 1 });
  });

  test.each(['node_killed', 'by_command'])(
    'when a node of %s is killed, then the test passes and its outcome says which node was lost and when',
    (name) => {
      const { nodes } = outcomes.find(({ title }) => title === name)!;
      expect(nodes).toMatchObject({ seen: 3, lost: [{ node: expect.any(String), atMs: expect.any(Number) }] });
    },
  );

  test('when it has ended, then status, rows and `tests show` have the same codes', async () => {
    const sql = 'select title, attempt, code, class, exit from outcome order by title, attempt';
    const rows = await run('history', '--json', '--sql', sql);
    expect((JSON.parse(rows.stdout) as Outcome[]).map(told).sort()).toEqual(ENDS);
    const status = await run('status', '--json');
    for (const code of ['TEST_FAILED', 'PREPARE_FAILED', 'ALERT']) expect(status.stdout).toContain(code);
    const shown = await run('tests', 'show', 'two_of_three');
    expect(shown.stdout).toContain('NODES_MISSING');
  });

  test('when it has ended, then no container, network or process of a cluster is left', async () => {
    expect(await engine().listContainers({ all: true, filters: { label: ['slipway.cluster'] } })).toEqual([]);
    const networks = await engine().listNetworks();
    expect(networks.filter(({ Name }) => Name.startsWith('slipway-'))).toEqual([]);
    expect(
      [...processesWith(made.home), ...processesWith(project)].filter((line) => /raylet|nodes\.py/.test(line)),
    ).toEqual([]);
  });
});
