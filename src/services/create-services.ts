import { home as homeOf, packageRoot, toolsBin } from '../adapters/home.js';
import { doctor } from './doctor/index.js';
import { chooseStore } from './choose-store.js';
import { down } from './down.js';
import { readJson } from './files.js';
import { servicesFile } from './folders.js';
import type { ServicesState } from './state.js';
import { shareAddresses } from './share-addresses.js';
import { startWorkers } from './start-workers.js';
import { up } from './up.js';

/** What a doctor finds: shaped as the command line wants it. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly mend: string;
}
interface Options {
  readonly onLine: (line: string) => void;
}
interface UpOptions extends Options {
  /** `s3` or `directory`: from now on this home's store. */
  readonly store?: string;
}
export interface Services {
  up(options: UpOptions): Promise<void>;
  down(options: Options): Promise<void>;
  doctor(): Promise<readonly Check[]>;
  address(name: string): string | null;
  ui(): string | null;
  startWorkers(queues: readonly string[], name?: string): Promise<number>;
}

/** The services of this home. @param only for tests: these alone */
export function createServices(env: NodeJS.ProcessEnv = process.env, only?: readonly string[]): Services {
  const home = homeOf(env);
  const state = (): ServicesState | null => readJson<ServicesState>(servicesFile(home));
  const where = { home, packageRoot: packageRoot(), env, ...(only ? { only } : {}) };
  return {
    up: async ({ onLine, store }) => {
      if (store !== undefined) await chooseStore(home, store, onLine);
      await up(where, onLine);
      const now = state();
      if (now) await shareAddresses(env, home, now);
    },
    down: ({ onLine }) => down(home, onLine),
    doctor: () => doctor({ home, toolsBin: toolsBin(), env, state: state() }),
    address: (name) => state()?.services[name]?.address ?? null,
    startWorkers: (queues, name) =>
      startWorkers({ queues, ...(name === undefined ? {} : { name }), packageRoot: packageRoot(), env }),
    ui: () => state()?.services['temporal']?.page ?? null,
  };
}
