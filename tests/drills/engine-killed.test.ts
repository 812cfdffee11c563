/** @needs services */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { connect } from '../../src/adapters/docker/connection.js';
import { createDocker } from '../../src/adapters/docker/index.js';
import { createServices, type Services } from '../../src/services/create-services.js';
import { readJson } from '../../src/services/files.js';
import { processesFile } from '../../src/services/folders.js';
import { until } from '../../src/services/poll.js';
import type { Started } from '../../src/services/process-record.js';
import { aHome } from '../services/a-home.js';
import { writeTinyRootfs } from '../support/tiny-rootfs.js';
import { HANGS_MS, isRoot } from './drill.js';

const never = new AbortController().signal;
const quiet = { onLine: (): void => undefined };
/** Found again among all processes of this machine. */
const SLEEP = `sleep 8${process.pid}`;

// Why it may be skipped: only root starts an engine of our own, and no other one is ours to kill.
(isRoot ? describe : describe.skip)('given a container, when its Docker engine is killed', () => {
  let services: Services;
  let home: string;
  let remove: () => void;
  const address = (): string => services.address('docker')!;
  const docker = createDocker(() => address());

  beforeAll(async () => {
    const made = await aHome();
    ({ home, remove } = made);
    services = createServices({ ...made.env, SLIPWAY_ENGINE: 'own' }, ['docker']);
    await services.up(quiet);
    const tar = await writeTinyRootfs(join(home, 'rootfs.tar'));
    await docker.engine.importTar(
      tar,
      { reference: 'tiny:1', labels: {}, platform: null },
      { log: () => undefined, signal: never },
    );
  });
  afterAll(async () => {
    await services.down(quiet);
    remove();
  });

  const run = (line: string, onOutput: (text: string) => void = () => undefined) => {
    const container = {
      image: 'tiny:1',
      argv: ['sh', '-eu', '-c', line],
      cwd: '/tmp',
      env: {},
      platform: null,
      mounts: [],
      network: true,
      labels: {},
    };
    return docker.containers.run({ ...container, limitMs: 2 * HANGS_MS, signal: never, onOutput });
  };
  const states = async (): Promise<readonly string[]> =>
    (await connect(address()).listContainers({ all: true })).map(({ State }) => State);
  const asleep = (): boolean => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n').includes(SLEEP);
  const pid = (): number | undefined =>
    readJson<readonly Started[]>(processesFile(home))?.find(({ name }) => name === 'docker')?.pid;
  const sees = async (what: string, so: () => boolean | Promise<boolean>): Promise<void> => {
    if (!(await until(so, HANGS_MS))) throw new Error(`never: ${what}`);
  };

  const cases: readonly [when: string, ready: () => Promise<boolean>][] = [
    ['as soon as its program runs, perhaps not yet recorded', () => Promise.resolve(true)],
    ['while it records the program as running', async () => (await states()).includes('running')],
  ];
  test.each(cases)(
    'when it dies %s, then the program is lost with infra, and another engine starts',
    async (_, ready) => {
      let text = '';
      const ended = run(`echo here; exec ${SLEEP}`, (piece) => (text += piece)).catch((error: unknown) => error);
      await sees('its output', () => text.includes('here'));
      await sees('its state', ready);

      const killed = pid();
      process.kill(killed!, 'SIGKILL');
      expect(await ended).toMatchObject({ problems: [{ code: 'DOCKER_UNREACHABLE', class: 'infra' }] });

      await sees(
        'another engine',
        async () => ![killed, undefined].includes(pid()) && (await docker.answer.silence()) === null,
      );
      expect(asleep()).toBe(false);
      expect(await run('echo again')).toEqual({ code: 0, timedOut: false });
      expect(await states()).toEqual([]);
    },
  );
});
