/** @needs services openssl */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { keysFolder } from '../../src/adapters/home-keys/open.js';
import { doorFolder, packageRoot, toolsBin } from '../../src/adapters/home.js';
import { temporal, temporalVersion } from '../../src/services/catalog/temporal.js';
import { choosePorts } from '../../src/services/free-ports.js';
import { statusFile } from '../../src/services/folders.js';
import { readJson } from '../../src/services/files.js';
import { namespaceRefusal } from '../../src/services/namespace.js';
import { ProcessRecord } from '../../src/services/process-record.js';
import { plain, type Service } from '../../src/services/service.js';
import { allReady, type Status } from '../../src/services/status.js';
import { Supervisor } from '../../src/services/supervisor.js';
import { until } from '../support/until.js';
import { aHome } from './a-home.js';

describe('a supervisor with Temporal and a worker', () => {
  const pids: Record<string, number> = {};
  let folder: string;
  let supervisor: Supervisor;
  let remove: () => void;
  let isReady: () => boolean;

  beforeAll(async () => {
    const made = await aHome();
    const { home } = made;
    ({ remove } = made);
    folder = doorFolder(home);
    isReady = () => {
      const status = readJson<Status>(statusFile(home));
      return status !== null && allReady(status);
    };
    const context = {
      ...{ home, keys: keysFolder(made.env, home), ports: await choosePorts(home), toolsBin: toolsBin() },
      ...{ packageRoot: packageRoot(), env: made.env, isRoot: process.getuid?.() === 0 },
    };
    const server = temporal(context, await temporalVersion(toolsBin()), namespaceRefusal() === null);
    const catalog = { services: [server, WORKER].map(watched), notes: [] };
    supervisor = new Supervisor(context, catalog, new ProcessRecord(home), { build: '', code: '' });
    supervisor.start();
    await until(isReady);
  });
  afterAll(async () => {
    await supervisor.end();
    remove();
  });

  const watched = (service: Service): Service => ({
    ...service,
    answers: async (pid) => {
      pids[service.name] = pid;
      return service.answers(pid);
    },
  });
  const restartServer = async (): Promise<void> => {
    const { temporal: before } = pids;
    process.kill(before!, 'SIGKILL');
    await until(() => pids['temporal'] !== before && isReady());
  };

  test('when Temporal restarts with the same certificates, then the worker runs on', async () => {
    const { worker } = pids;
    await restartServer();
    expect(pids['worker']).toBe(worker);
  });

  test('when Temporal restarts with new certificates, then the worker, which has the old ones, starts again', async () => {
    const { worker } = pids;
    rmSync(join(folder, 'client.pem'));
    await restartServer();
    await until(() => pids['worker'] !== worker && isReady());
  });
});

/** Runs until it is ended, as a worker does. */
const WORKER: Service = {
  ...{ ...plain, name: 'worker', after: ['temporal'], runsOurCode: true },
  launch: () => ({ argv: ['/bin/sleep', '600'] }),
  answers: async () => true,
  state: (pid) => ({ pid, address: 'worker', log: '' }),
};
