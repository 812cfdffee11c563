import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Docker from 'dockerode';
import type { Store } from '../../src/activities/ports.js';
import { connect } from '../../src/adapters/docker/connection.js';
import { packageRoot } from '../../src/adapters/home.js';
import { createLogReader } from '../../src/adapters/logs/reader.js';
import { createDirectoryStore } from '../../src/adapters/store/directory.js';
import type { RunId } from '../../src/model/ids.js';
import { records } from '../../src/model/run-folder.js';
import type { Outcome } from '../../src/model/tests/outcome.js';
import { servicesFile } from '../../src/services/folders.js';
import type { ServicesState, ServiceState } from '../../src/services/state.js';
import { aHome } from '../services/a-home.js';
import { processesWith } from '../support/a-cluster-test.js';
import { endPrograms, type Said, slipway } from '../support/own-services.js';
import { giveCache } from '../support/shared-cache.js';
import { atEnd, remove, WAIT } from './at-end.js';

/** A repository, and services of its own that carry out its runs. */
export interface Project {
  readonly folder: string;
  readonly home: string;
  /** Types `slipway …` in a folder of the repository. */
  run(...args: readonly string[]): Promise<Said>;
  engine(): Docker;
  /** Process of a service now. */
  pidOf(service: string): number;
  addressOf(service: string): string;
  store(): Store;
  runs(): Promise<readonly RunId[]>;
  /** The first attempt's logs so far, one for each worker that began it, of a test with one variant: `tests/spread`. Empty before it begins. */
  logOf(run: RunId, test: string): Promise<string>;
  /** Records of all attempts of a pipeline. */
  outcomes(pipeline: string): Promise<readonly Outcome[]>;
  /** Containers, networks and processes of clusters that exist now. */
  left(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** @param below folder of the release file @param write writes the files of the first commit */
export async function aProject(below: string, write: (folder: string) => Promise<void> | void): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-project-'));
  const { home } = await aHome();
  // All projects of this checkout share downloads and bases.
  await giveCache(home);
  // The index of packages is the one that this machine is configured for.
  const env = { ...(process.env as Record<string, string>), SLIPWAY_HOME: home, SLIPWAY_ROOTS: folder };
  const program = join(packageRoot(), 'bin', 'slipway.js');
  const down = [WAIT, '"$NODE" "$PROGRAM" down', remove('SLIPWAY_ROOTS'), remove('SLIPWAY_HOME')];
  const end = atEnd(down, { ...env, NODE: process.execPath, PROGRAM: program });
  await write(folder);
  const git = (...args: readonly string[]): unknown =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=x', '-c', 'user.email=x@x', ...args]);
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('commit', '--quiet', '-m', 'all');
  const run = (...args: readonly string[]): Promise<Said> => slipway(join(folder, below), args, env);
  const close = async (): Promise<void> => {
    endPrograms();
    await end();
  };
  const up = await run('up');
  if (up.code !== 0) {
    await close();
    throw new Error(up.stderr);
  }
  const serviceOf = (name: string): ServiceState =>
    (JSON.parse(readFileSync(servicesFile(home), 'utf8')) as ServicesState).services[name]!;
  const pidOf = (service: string): number => serviceOf(service).pid;
  const addressOf = (service: string): string => serviceOf(service).address;
  const engine = (): Docker => connect(addressOf('docker'));
  const store = (): Store => createDirectoryStore(join(home, 'store'));
  return {
    folder,
    home,
    run,
    engine,
    pidOf,
    addressOf,
    store,
    runs: async () => (await store().list(records.started(''))).map((name) => name.slice(records.started('').length)),
    logOf: (run, test) => firstLog(store(), run, test),
    outcomes: (pipeline) => outcomesOf(store(), pipeline),
    left,
    close,
  };

  async function left(): Promise<readonly string[]> {
    const containers = await engine().listContainers({ all: true, filters: { label: ['slipway.cluster'] } });
    const networks = await engine().listNetworks();
    return [
      ...containers.map(({ Id }) => `container ${Id}`),
      ...networks.flatMap(({ Name }) => (Name.startsWith('slipway-') ? [`network ${Name}`] : [])),
      ...[...processesWith(home), ...processesWith(folder)].filter((line) =>
        /raylet|gcs_server|node\d+\.sock|nodes\.py/.test(line),
      ),
    ];
  }
}

async function outcomesOf(store: Store, pipeline: string): Promise<readonly Outcome[]> {
  const names = await store.list(`outcomes/${pipeline}/`);
  return Promise.all(names.map(async (name) => (await store.read<Outcome>(name))!));
}

async function firstLog(store: Store, run: RunId, test: string): Promise<string> {
  const below = records.log(run, test, 1).slice(0, -'001'.length);
  const deliveries = (await store.list(below)).flatMap((name) => /^.*\/001(\.\d+)?(?=\/)/.exec(name)?.[0] ?? []);
  let text = '';
  for (const prefix of [...new Set(deliveries)].toSorted())
    for await (const { text: piece } of createLogReader(store).pieces(prefix, { follow: false })) text += piece;
  return text;
}
