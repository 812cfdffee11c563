import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { configFile, home as homeOf, packageRoot, toolsBin } from '../adapters/home.js';
import type { Receiver } from '../model/policy/place.js';
import type { Recorded } from '../adapters/temporal/settings.js';
import { databaseUrl } from './database-url.js';
import { readJson, keptSecret } from './files.js';
import { pageKeyFile, servicesFile } from './folders.js';
import type { Checked, Finding, Patient } from './doctor/check.js';
import type { ServicesState } from './state.js';

export type { Finding as Check };
interface Options {
  readonly onLine: (line: string) => void;
}
interface UpOptions extends Options {
  /** `s3` or `directory`: the store of this home from now on. */
  readonly store?: string;
  /** Services to start, and no workers. Absent: all. */
  readonly only?: readonly string[];
}
/** The services of a home. */
export interface Services {
  up(options: UpOptions): Promise<void>;
  down(options: Options): Promise<void>;
  /** @param named addresses of plans, whose servers are asked as well */
  doctor(named?: readonly Receiver[]): Promise<readonly Finding[]>;
  /** Address of a service by name, from `.slipway/services.json`; null where it is not up. */
  address(name: string): string | null;
  /** One worker process for each queue in the foreground; answers the worst exit status once all have ended. */
  startWorkers(queues: readonly string[], name?: string, deployment?: string): Promise<number>;
  /** Build id of this checkout's workflow code. */
  workflowBuild(): Promise<string>;
  /** Throws UPGRADE_DIVERGES if an open workflow does not replay on this checkout's code. */
  assertUpgradeReplays(): Promise<void>;
  /** Temporal, with the folder of the certificates that it asks for. */
  server(): Recorded | null;
  /** Address of the Temporal web UI. */
  ui(): string | null;
  /** Link with the key that opens it. */
  link(): string | null;
  /** File for TEMPORAL_CONFIG_FILE, with address and certificates of Temporal. */
  config(): string;
  /** Address of PostgreSQL with the password of a user, or null where it is not up. Default: the user who writes. */
  database(user?: 'slipway' | 'slipway_reader'): string | null;
}

/** The services of this home, which is asked for late: a command that needs the checkout says so first. Imports slow modules lazily.
 * @param only limits the services, for tests
 * @param features adds checks of features to those of `doctor`
 * @param plans features that plan release files for those checks */
export function createServices(
  env: NodeJS.ProcessEnv = process.env,
  only?: readonly string[],
  features: () => Promise<Checked> = async () => ({}),
  plans: Patient['plans'] = async () => ({}),
): Services {
  const home = (): string => homeOf(env);
  const state = (): ServicesState | null => readJson<ServicesState>(servicesFile(home()));
  return {
    up: async ({ onLine, store, only: named = only }) => {
      await inCheckout('up');
      const where = { home: home(), packageRoot: packageRoot(), env, ...(named && { only: named }) };
      const { assertFits, up } = await import('./up.js');
      assertFits(where); // before the store changes
      if (store !== undefined) await (await import('./choose-store.js')).chooseStore(home(), store, onLine);
      await up(where, onLine);
      // A user who starts the services beside a release file may release it, also from the web page.
      if (existsSync('slipway.yaml')) (await import('../adapters/facts/roots.js')).allowRoot(home(), resolve('.'));
      const now = state();
      if (now) await (await import('./share-addresses.js')).shareAddresses(env, home(), now, named !== undefined);
    },
    down: async ({ onLine }) => (await import('./down.js')).down(home(), onLine),
    doctor: async (named = []) => {
      await inCheckout('doctor');
      const { doctor } = await import('./doctor/index.js');
      const patient = { home: home(), toolsBin: toolsBin(), env, folder: resolve('.'), state: state(), named, plans };
      return doctor(patient, await features());
    },
    address: (name) => state()?.services[name]?.address ?? null,
    startWorkers: async (queues, name, deployment) => {
      await inCheckout('worker');
      return (await import('./start-workers.js')).startWorkers({
        ...{ queues, packageRoot: packageRoot(), env, deployment: deployment ?? null },
        ...(name === undefined ? {} : { name }),
      });
    },
    workflowBuild: async () => {
      await inCheckout('worker');
      return (await import('./build-digest.js')).workflowsDigest(join(packageRoot(), 'dist'));
    },
    assertUpgradeReplays: async () => {
      const { upgradeDiverges } = await import('./errors.js');
      await (await import('./open-runs.js')).replayOpenRuns(packageRoot(), env, upgradeDiverges);
    },
    database: (user) => {
      const address = state()?.services['postgres']?.address;
      return address === undefined ? null : databaseUrl(home(), address, user);
    },
    server: () => state()?.services['temporal'] ?? null,
    ui: () => state()?.services['temporal']?.page ?? null,
    link: () => {
      const page = state()?.services['temporal']?.page;
      return page === undefined ? null : `${page}/?key=${keptSecret(pageKeyFile(home()))}`;
    },
    config: () => configFile(home()),
  };
}

const inCheckout = async (command: string) => (await import('./assert-checkout.js')).assertCheckout(command);
