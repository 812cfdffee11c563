/** @needs services */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { configFile, doorFolder, packageRoot, toolsBin } from '../../src/adapters/home.js';
import { lives } from '../../src/adapters/process/identity.js';
import { serverEnv } from '../../src/adapters/temporal/server-env.js';
import { createServices, type Services } from '../../src/services/create-services.js';
import { portsFile, servicesFile } from '../../src/services/folders.js';
import { readJson } from '../../src/services/files.js';
import { listenFor } from '../../src/services/listen.js';
import { supervisor } from '../../src/services/lock.js';
import { run } from '../../src/services/run.js';
import type { ServicesState } from '../../src/services/state.js';
import { freePort } from '../support/free-port.js';
import { groupOf, ownPorts } from '../support/own-ports.js';
import { until } from '../support/until.js';
import { aHome } from './a-home.js';

const cli = join(toolsBin(), 'temporal');
const START = ['workflow', 'start', '--type', 'kept', '--task-queue', 'nobody', '--workflow-id', 'kept'];

describe('Temporal behind the door of a home', () => {
  let home: string;
  let services: Services;
  let remove: () => void;
  const lines: string[] = [];
  const up = (): Promise<void> => services.up({ onLine: (line) => lines.push(line) });
  const pid = (): number => readJson<ServicesState>(servicesFile(home))!.services['temporal']!.pid;
  const temporal = (...args: readonly string[]) => run(cli, args, 10_000, serverEnv(home));

  beforeAll(async () => {
    const made = await aHome();
    ({ home, remove } = made);
    services = createServices(made.env, ['temporal']);
    await up();
  });
  afterAll(async () => {
    await services.down({ onLine: () => undefined });
    remove();
  });

  test('when `up` has run, then the server has the two ports of the door, and others are out of reach', () => {
    const address = Number(services.address('temporal')!.split(':')[1]);
    expect(ownPorts(pid()).toSorted()).toEqual([address, Number(new URL(services.ui()!).port)].toSorted());
  });

  test('given TEMPORAL_CONFIG_FILE alone, then the temporal CLI finds address and certificates', async () => {
    const env = { PATH: process.env['PATH']!, HOME: home, TEMPORAL_CONFIG_FILE: configFile(home) };
    expect(await run(cli, ['operator', 'cluster', 'health'], 10_000, env)).toMatchObject({
      code: 0,
      stdout: 'SERVING\n',
    });
  });

  test.each([
    ['the server', 'temporal'],
    ['the door', 'nginx'],
    ['the namespace', 'bwrap'],
  ])(
    'when %s is killed, then all of it ends, and another with the same address and data answers',
    async (_, program) => {
      await temporal(...START);
      const [before, address] = [pid(), services.address('temporal')];
      const victim = members(before).find((one) => nameOf(one) === program)!;
      process.kill(Number(victim), 'SIGKILL');
      await until(async () => pid() !== before && (await temporal('operator', 'cluster', 'health')).code === 0);
      await until(() => members(before).length === 0);
      expect(services.address('temporal')).toBe(address);
      expect((await temporal('workflow', 'list')).stdout).toContain('kept');
    },
  );

  test('given a killed supervisor, when `up` runs, then the door has the same address and page', async () => {
    const before = [services.address('temporal'), services.link()];
    const killed = supervisor(home)!;
    process.kill(killed.pid, 'SIGKILL');
    await until(() => !lives(killed));
    expect((await temporal('operator', 'cluster', 'health')).code).toBe(0);
    await up();
    expect([services.address('temporal'), services.link()]).toEqual(before);
    expect((await temporal('operator', 'cluster', 'health')).code).toBe(0);
  });

  test('given a cookie of the page, when the server starts again, then it opens nothing, and the same link sets another', async () => {
    const page = (headers: Record<string, string>): Promise<Response> =>
      fetch(services.link()!, { headers, redirect: 'manual' });
    const cookie = async (): Promise<string> => (await page({})).headers.getSetCookie()[0]!.split(';')[0]!;
    const open = async (value: string): Promise<number> =>
      (await fetch(services.ui()!, { headers: { cookie: value } })).status;
    const before = await cookie();
    expect(await open(before)).toBe(200);
    await services.down({ onLine: () => undefined });
    await up();
    expect(await open(before)).toBe(401);
    expect(await open(await cookie())).toBe(200);
  });

  test.each([
    ['lost', () => rmSync(join(doorFolder(home), 'client.key')), 'cannot be read'],
    ['of another home', () => copyOver('server.key', 'client.key'), 'is not of this home'],
  ])(
    'given a certificate that is %s, when `up` runs, then it says so, makes new ones and starts again',
    async (_, spoil, said) => {
      spoil();
      expect((await temporal('operator', 'cluster', 'health')).code).toBe(1);
      await up();
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`${said}.*: starting again`)));
      expect((await temporal('operator', 'cluster', 'health')).code).toBe(0);
    },
  );

  const copyOver = (from: string, to: string): void =>
    void spawnSync('cp', [join(doorFolder(home), from), join(doorFolder(home), to)]);
});

test('given a port of the door that another program has, then the problem names it and says what to type', async () => {
  const owner = createServer().listen(await freePort(), '127.0.0.1');
  await once(owner, 'listening');
  const { port } = owner.address() as { port: number };
  const free = await freePort();
  await expect(
    listenFor([
      [free, 'the page'],
      [port, 'Temporal'],
    ]),
  ).rejects.toMatchObject({
    problems: [
      {
        code: 'DOOR_PORT_TAKEN',
        message: expect.stringContaining(`127.0.0.1:${port}`) as string,
        next: expect.stringContaining('slipway up') as string,
      },
    ],
  });
  owner.close();
  const [socket] = await listenFor([[free, 'the page']]);
  socket!.close();
});

test('given a home whose path has a blank and a colon, when `up` runs, then the door reaches the server, its page and the codec server', async () => {
  const { home: above, env, remove } = await aHome();
  const home = join(above, 'a b:c');
  mkdirSync(home);
  renameSync(portsFile(above), portsFile(home));
  const services = createServices({ ...env, SLIPWAY_HOME: home }, ['temporal', 'codec']);
  try {
    await services.up({ onLine: () => undefined });
    const asked = await run(cli, ['operator', 'cluster', 'health'], 10_000, serverEnv(home));
    expect(asked.stdout).toBe('SERVING\n');
    const authorization = `Bearer ${new URL(services.link()!).searchParams.get('key')!}`;
    const decoded = await fetch(`${services.ui()!}/+codec/decode`, {
      method: 'POST',
      body: '{}',
      headers: { authorization },
    });
    expect([decoded.status, await decoded.text()]).toEqual([200, '{"payloads":[]}']);
  } finally {
    await services.down({ onLine: () => undefined });
    remove();
  }
});

test.each(['a$b', 'a"b', 'a\\b', 'a\nb'])(
  'given a home at %j, then `up` refuses it and makes nothing',
  async (name) => {
    const { home: above, env, remove } = await aHome();
    const home = join(above, name);
    const services = createServices({ ...env, SLIPWAY_HOME: home }, ['temporal']);
    const problem = { code: 'HOME_UNFIT', next: expect.stringContaining('SLIPWAY_HOME') as string };
    await expect(services.up({ onLine: () => undefined })).rejects.toMatchObject({ problems: [problem] });
    expect(existsSync(home)).toBe(false);
    remove();
  },
);

test('given a machine without namespaces, then `up` and the doctor say that there is no door, and the server works', async () => {
  const { home, env, remove } = await aHome();
  const program = `require('./dist/services/create-services.js').createServices(process.env, ['temporal'])`;
  const without = (call: string): string => {
    const script = `const services = ${program}; services.${call}.then((said) => console.log(JSON.stringify(said)))`;
    // In this view /usr/bin/bwrap is no program.
    const view = ['--dev-bind', '/', '/', '--ro-bind', '/dev/null', '/usr/bin/bwrap', '--'];
    const { stdout, stderr } = spawnSync('bwrap', [...view, process.execPath, '-e', script], {
      ...{ env, cwd: packageRoot(), encoding: 'utf8' },
    });
    return stdout + stderr;
  };
  try {
    expect(without('up({ onLine: console.log })')).toMatch(
      /note: Temporal is not protected: every user of this machine can reach its port/,
    );
    const services = createServices(env);
    expect(services.server()).not.toHaveProperty('certificates');
    const asked = await run(cli, ['operator', 'cluster', 'health', '--address', services.address('temporal')!]);
    expect(asked.stdout).toBe('SERVING\n');
    expect(without('doctor()')).toMatch(/serving\. Temporal is not protected/);
    // The page asks for its key all the same.
    expect((await fetch(services.ui()!)).status).toBe(401);
    expect(readFileSync(configFile(home), 'utf8')).not.toContain('tls');
  } finally {
    without('down({ onLine: console.log })');
    remove();
  }
});

/** Living processes of a group. */
const members = (group: number): readonly string[] => readdirSync('/proc').filter((one) => groupOf(one) === group);

const nameOf = (one: string): string => readFileSync(`/proc/${one}/comm`, 'utf8').trim();
