/** @long */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Store } from '../../../src/activities/ports.js';
import type { Planner } from '../../../src/activities/plan/ports.js';
import { makePrivateFolder } from '../../../src/activities/step/workspace.js';
import { NO_PAST, submit } from '../../../src/adapters/facts/index.js';
import { type LIMITS, planInChildProcess } from '../../../src/adapters/facts/plan-in-child-process.js';
import { createDirectoryStore } from '../../../src/adapters/store/directory.js';
import { fakeSignatures } from '../../support/sign-plan.js';
import { until } from '../../support/until.js';

const FILE = `slipway: 1
release: { name: skiff, version: '1.0' }
source: { sdist: skiff==1.0, sha256: ${'ab'.repeat(32)} }
platforms: [linux-x86_64]
pythons: [cp311]
steps: { one: { run: 'true' } }
`;
const SECRETS = { SLIPWAY_INDEX_PASSWORD: 'canary-1', AWS_SECRET_ACCESS_KEY: 'canary-2', PYPI_TOKEN: 'canary-3' };
const AT_PLANNING = join(__dirname, 'at-planning.cjs');

let home: string;
let file: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-apart-')));
  mkdirSync(join(home, 'project'));
  file = join(home, 'project', 'slipway.yaml');
  writeFileSync(file, FILE);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const storeOf = () => createDirectoryStore(join(home, 'store'));
interface More {
  readonly limits?: Partial<typeof LIMITS>;
  readonly signal?: AbortSignal;
  readonly env?: NodeJS.ProcessEnv;
  readonly warm?: boolean;
  readonly store?: Store;
}
const apart = ({
  limits,
  signal = new AbortController().signal,
  env = process.env,
  warm = false,
  store = storeOf(),
}: More = {}): Pick<Planner, 'submit' | 'span'> =>
  planInChildProcess({
    ...{ env: { ...env, SLIPWAY_ROOTS: join(home, 'project') }, home, store, past: NO_PAST },
    ...{ signatures: fakeSignatures, stopped: () => signal, flags: ['--require', AT_PLANNING] },
    ...(limits && { limits }),
    warm,
    temporary: () => makePrivateFolder(home, 'planning'),
  });
const does = (what: string): void => writeFileSync(join(home, 'do'), what);
const seen = () =>
  JSON.parse(readFileSync(join(home, 'seen.json'), 'utf8')) as { pid: number; env: NodeJS.ProcessEnv; argv: string[] };
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('given a release file, when it is planned apart, then the plan is the same, and no secret reaches the process', async () => {
  const { digest } = await apart({ env: { ...process.env, ...SECRETS } }).submit(file, 'local', {});
  const here = await submit(file, 'local', { store: storeOf(), signatures: fakeSignatures }, {});
  expect(digest).toBe(here.digest);
  expect(JSON.stringify(seen())).not.toContain('canary-');
  expect(seen().env).toMatchObject({ PATH: process.env['PATH'], SLIPWAY_HOME: home });
});

test('given a planner that has a process ready, then each plan has a process of its own', async () => {
  const planner = apart({ warm: true });
  await planner.submit(file, 'local', {});
  const [first, ready] = await started(2);
  expect(planned()).toBe(first);
  await planner.submit(file, 'local', {});
  expect(planned()).toBe(ready);
  await until(() => !isAlive(first!));
  await endReady((await started(3))[2]!);
});

test('given planning, then its temporary files lie in a folder that this user alone may open, and go with the process', async () => {
  const store = storeOf();
  const seenModes: Record<string, number> = {};
  const putFile: typeof store.putFile = (path) => {
    const folder = dirname(path);
    seenModes[folder] = statSync(folder).mode & 0o777;
    return store.putFile(path);
  };
  await apart({ store: { ...store, putFile } }).submit(file, 'local', {});
  const folder = seen().env['TMPDIR']!;
  expect(seenModes).toMatchObject({ [folder]: 0o700 });
  expect(seenModes).not.toHaveProperty([tmpdir()]);
  await until(() => !existsSync(folder));
});

test('given planning that never ends, when it is cancelled, then its temporary files are removed', async () => {
  const cancel = new AbortController();
  does('loop');
  const refused = expect(apart({ signal: cancel.signal }).submit(file, 'local', {})).rejects.toThrow('cancelled');
  await until(() => !existsDo());
  const folder = seen().env['TMPDIR']!;
  expect(dirname(folder)).toBe(join(home, 'work', 'planning'));
  expect(existsSync(folder)).toBe(true);
  cancel.abort(new Error('cancelled'));
  await refused;
  expect(existsSync(folder)).toBe(false);
});

test('given a process that was ended from outside while it plans, then the cause is the machine, and the file is blameless', async () => {
  does('loop');
  const refused = expect(apart().submit(file, 'local', {})).rejects.toMatchObject({
    problems: [{ code: 'PLANNING_KILLED', class: 'infra', message: expect.stringContaining('SIGKILL') as string }],
  });
  await until(() => !existsDo());
  process.kill(seen().pid, 'SIGKILL');
  await refused;
});

test('given a server of wheels that hangs, when the planning process is ended, then the request ends too', async () => {
  const server = createServer();
  const asked = once(server, 'request');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cancel = new AbortController();
  writeFileSync(join(home, 'address'), `http://127.0.0.1:${port}/skiff.whl`);
  does('find');
  const refused = expect(apart({ signal: cancel.signal }).submit(file, 'local', {})).rejects.toThrow('cancelled');
  const [request] = (await asked) as [IncomingMessage];
  const closed = once(request.socket, 'close');
  cancel.abort(new Error('cancelled'));
  await Promise.all([refused, closed]);
  server.close();
});

test('given an idle process that was ended from outside, then the next plan is made by another', async () => {
  const planner = apart({ warm: true });
  await planner.submit(file, 'local', {});
  await endReady((await started(2))[1]!);
  await planner.submit(file, 'local', {});
  const [, ended, third, ready] = await started(4);
  expect(planned()).toBe(third);
  expect(third).not.toBe(ended);
  await endReady(ready!);
});

test('given a file with mistakes, then their problems arrive with file and line', async () => {
  writeFileSync(file, FILE.replace('steps', 'stpes'));
  await expect(apart().submit(file, 'local', {})).rejects.toMatchObject({
    problems: [{ code: 'UNKNOWN_KEY', place: { file, line: 6 } }],
  });
});

test('given a file outside the roots, then it is refused', async () => {
  await expect(apart().submit('/etc/passwd', 'local', {})).rejects.toMatchObject({
    problems: [{ code: 'RELEASE_FILE_OUTSIDE' }],
  });
});

test.each([
  ['fills its heap', 'heap', { heapMb: 64 }, 'JavaScript heap out of memory'],
  ['fills memory beside its heap', 'buffers', { memoryMb: 250 }, 'more than 250 MiB of memory'],
  ['never ends', 'loop', { timeMs: 6_000 }, 'more than 6 seconds'],
  ['crashes', 'abort', {}, 'SIGABRT'],
])(
  'given planning that %s, then that plan fails with its cause, and the next one is made',
  async (_, what, limits, why) => {
    const planner = apart({ limits });
    does(what);
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 50);
    await expect(planner.submit(file, 'local', {})).rejects.toMatchObject({
      problems: [{ code: 'PLANNING_ENDED', message: expect.stringContaining(why) as string }],
    });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(0);
    const { pid } = seen();
    await planner.submit(file, 'local', {});
    expect(isAlive(pid)).toBe(false);
  },
);

test('given a cancel while it plans, then the process ends and the cancel is the reason', async () => {
  const cancel = new AbortController();
  does('loop');
  const asked = apart({ signal: cancel.signal }).submit(file, 'local', {});
  const refused = expect(asked).rejects.toThrow('a person cancelled');
  await until(() => !existsDo());
  cancel.abort(new Error('a person cancelled'));
  await refused;
  await until(() => !isAlive(seen().pid));
});

test('given a worker that is killed while a plan never ends, then the planning process ends too', async () => {
  does('loop');
  const code = `
    const { planInChildProcess } = require('./dist/adapters/facts/plan-in-child-process.js');
    const { makePrivateFolder } = require('./dist/activities/step/workspace.js');
    const [home, file, flag] = process.argv.slice(1);
    const temporary = () => makePrivateFolder(home, 'planning');
    const around = { env: { ...process.env, SLIPWAY_ROOTS: home }, home, store: {}, past: {}, signatures: {}, temporary };
    const planner = planInChildProcess({ ...around, stopped: () => new AbortController().signal, flags: ['--require', flag] });
    void planner.submit(file, 'local');`;
  const worker = spawn(process.execPath, ['-e', code, home, file, AT_PLANNING], { stdio: 'inherit' });
  await until(() => !existsDo());
  const { pid } = seen();
  expect(isAlive(pid)).toBe(true);
  worker.kill('SIGKILL');
  await until(() => !isAlive(pid));
});

/** Resolves with the processes that have started, once there are as many. */
const started = (many: number): Promise<readonly number[]> =>
  until(() => {
    const pids = readFileSync(join(home, 'started'), 'utf8').trim().split('\n').map(Number);
    return pids.length === many && pids;
  });
const planned = (): number => Number(readFileSync(join(home, 'planned'), 'utf8'));

/** Ends an idle process. Resolves when nothing of it is left. */
async function endReady(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await until(() => !isAlive(pid) && readdirSync(join(home, 'work', 'planning')).length === 0);
}

function existsDo(): boolean {
  try {
    readFileSync(join(home, 'do'));
    return true;
  } catch {
    return false;
  }
}
