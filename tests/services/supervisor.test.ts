/** @needs services */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { identityOf, lives } from '../../src/adapters/process/identity.js';
import type { SlipwayFailure } from '../../src/model/failure.js';
import { ask } from '../../src/services/ask.js';
import { createServices, type Services } from '../../src/services/create-services.js';
import { accessLogFile, processesFile, servicesFile } from '../../src/services/folders.js';
import { readJson, writeJson } from '../../src/services/files.js';
import { lastPorts } from '../../src/services/free-ports.js';
import { leave, supervisor } from '../../src/services/lock.js';
import type { Started } from '../../src/services/process-record.js';
import type { ServicesState } from '../../src/services/state.js';
import { until } from '../support/until.js';
import { aHome } from './a-home.js';

const SOME = ['staging', 'registry', 'web'];
const quiet = { onLine: (): void => undefined };

/** Pids of all processes that are, or are about to be, the supervisor of a home. */
const supervisorsOf = (home: string): readonly number[] =>
  readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const [line, env] = ['cmdline', 'environ'].map((name) =>
        readFileSync(`/proc/${pid}/${name}`, 'utf8').split('\0'),
      );
      const isOne = line!.some((word) => word.endsWith('supervisor-main.js')) && env!.includes(`SLIPWAY_HOME=${home}`);
      return isOne ? [Number(pid)] : [];
    } catch {
      return [];
    }
  });

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/** Two real registries behind nginx, under the built supervisor. */
describe('the supervisor', () => {
  let home: string;
  let services: Services;
  let remove: () => void;
  const state = (): ServicesState => readJson<ServicesState>(servicesFile(home))!;
  const pidOf = (name: string): number => state().services[name]!.pid;
  const answers = async (name: string): Promise<boolean> =>
    (await ask(`http://${services.address(name)}/`, '/v2/'))?.status === (name === 'staging' ? 401 : 200);

  beforeEach(async () => {
    const made = await aHome();
    ({ home, remove } = made);
    services = createServices(made.env, SOME);
    await services.up(quiet);
  });
  afterEach(async () => {
    await services.down(quiet);
    remove();
  });

  test('given services that `--only` named, when `up` asks for others or for unknown ones, then it is refused', async () => {
    const asked = (only: readonly string[]) =>
      services.up({ ...quiet, only }).catch((error: SlipwayFailure) => error.first);
    expect(await asked(['staging', 'mysql'])).toMatchObject({
      code: 'SERVICES_UNKNOWN',
      message: 'there is no service mysql',
    });
    expect(await asked(['staging'])).toMatchObject({ code: 'OTHER_SERVICES_UP' });
    expect(await asked(['web', ...SOME.slice(0, 2)])).toBeUndefined();
  });

  it('when services are up, then it knows their addresses and leaves them alone', async () => {
    expect([await answers('staging'), await answers('registry')]).toEqual([true, true]);
    const before = readFileSync(servicesFile(home), 'utf8');
    await services.up(quiet);
    expect(readFileSync(servicesFile(home), 'utf8')).toBe(before);
  });

  it('when two start it at once, then only one runs, and `down` leaves none', async () => {
    await services.down(quiet);
    const slow = join(home, 'slow.cjs');
    writeFileSync(slow, 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5000);');
    const env = { ...process.env, SLIPWAY_HOME: home, NODE_OPTIONS: `--require ${slow}` };
    await Promise.all([createServices(env, SOME).up(quiet), services.up(quiet)]);
    expect(supervisorsOf(home)).toEqual([supervisor(home)!.pid]);
  });

  it('given a running supervisor, when another one fails to start, then the first keeps its lock', () => {
    const holder = supervisor(home);
    leave(home);
    expect(supervisor(home)).toEqual(holder);
  });

  it('when a service is killed, then it restarts at the same address', async () => {
    const [pid, address] = [pidOf('staging'), services.address('staging')];
    process.kill(pid, 'SIGKILL');
    await until(async () => pidOf('staging') !== pid && (await answers('staging')));
    expect(services.address('staging')).toBe(address);
  });

  it('when the nginx of `web` is killed, then no other program gets one of its ports until the next one answers', async () => {
    const pid = pidOf('maven');
    const { index, maven, wheels, registry, staging } = lastPorts(home);
    const ports = [index, maven, wheels, registry, staging].map((port) => port!);
    const lost = new Set<number>();
    process.kill(pid, 'SIGKILL');
    while (pidOf('maven') === pid || !(await answers('registry')))
      for (const port of ports) if (await isFree(port)) lost.add(port);
    expect([...lost]).toEqual([]);
    expect(await answers('staging')).toBe(true);
  });

  it('given a large access log of wheels, then nginx writes on in another file, and no line is lost', async () => {
    const log = accessLogFile(home, 'wheels');
    const parts = (): readonly string[] => readdirSync(dirname(log)).filter((name) => /-\d{14}$/.test(name));
    truncateSync(log, 65 << 20);
    await ask(services.address('wheels')!, '/first');
    await until(() => parts().length === 1);
    await until(async () => {
      await ask(services.address('wheels')!, '/next');
      return existsSync(log) && readFileSync(log, 'utf8').includes('GET 404 "/next"');
    });
    expect(readFileSync(join(dirname(log), parts()[0]!), 'utf8').slice(-200)).toMatch(/GET 404 "\/(first|next)"/);
  });

  it('given a killed supervisor, when `up` runs, then its old services are ended, and new ones have the same addresses', async () => {
    const left = ['staging', 'registry'].map((name) => identityOf(pidOf(name)));
    const addresses = ['staging', 'registry'].map(services.address);
    const killed = supervisor(home)!;
    process.kill(killed.pid, 'SIGKILL');
    await until(() => !lives(killed));
    await services.up(quiet);
    expect(left.filter(lives)).toEqual([]);
    expect(['staging', 'registry'].map(services.address)).toEqual(addresses);
    expect(await answers('registry')).toBe(true);
  });

  it('when its home is removed, then it and its services end', async () => {
    const holder = supervisor(home)!;
    const left = ['staging', 'registry'].map((name) => identityOf(pidOf(name)));
    remove();
    await until(() => !lives(holder));
    expect(left.filter(lives)).toEqual([]);
    expect(existsSync(servicesFile(home))).toBe(false);
  });

  it('given a killed supervisor, when `down` runs, then its services end, and a reused pid is left alone', async () => {
    const stranger = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
    const recorded = readJson<Started[]>(processesFile(home))!;
    writeJson(processesFile(home), [...recorded, { name: 'reused', pid: stranger.pid!, start: 'another time' }]);
    const killed = supervisor(home)!;
    process.kill(killed.pid, 'SIGKILL');
    await until(() => !lives(killed));
    await services.down(quiet);
    expect(recorded.filter(lives)).toEqual([]);
    expect(stranger.exitCode).toBeNull();
    expect(lives(identityOf(stranger.pid!))).toBe(true);
    expect(existsSync(servicesFile(home))).toBe(false);
    const gone = once(stranger, 'exit');
    stranger.kill('SIGKILL');
    await gone;
  });
});
