import { existsSync } from 'node:fs';
import { readChoice } from '../../adapters/store/choice.js';
import { namespaceRefusal, unprotected } from '../namespace.js';
import type { Service } from '../service.js';
import { codec } from './codec.js';
import type { Context } from './context.js';
import { devpi } from './devpi.js';
import { docker } from './docker.js';
import { postgres, postgresVersion } from './postgres.js';
import { programs } from './programs.js';
import { registry } from './registry.js';
import { s3 } from './s3.js';
import { temporal, temporalVersion, oldDatabases } from './temporal.js';
import { web } from './web.js';
import { queuesHere, worker, workerMain } from './worker.js';

/** Services that `up --only` can name. */
export const NAMES = ['temporal', 'docker', 'devpi', 'web', 'staging', 'registry', 's3', 'postgres', 'codec'] as const;

export interface Catalog {
  /** In display order; they stop in reverse order. */
  readonly services: readonly Service[];
  readonly notes: readonly string[];
  readonly only?: readonly string[];
}

export async function catalog(context: Context, only?: readonly string[]): Promise<Catalog> {
  const wanted = (name: string): boolean => only === undefined || only.includes(name);
  const version = wanted('temporal') ? await temporalVersion(context.toolsBin) : '';
  const unsealed = wanted('temporal') ? namespaceRefusal() : null;
  const database = wanted('postgres') ? await postgresVersion(context) : null;
  const base = [
    ...(wanted('temporal') ? [temporal(context, version, unsealed === null)] : []),
    ...(wanted('docker') ? [await docker(context)] : []),
    ...[devpi(context), web(context), registry(context, 'staging'), registry(context, 'registry')],
    ...(hasOwnS3(context) ? [s3(context)] : []),
    ...(database === null ? [] : [postgres(context, database)]),
  ].filter((service) => wanted(service.name));
  const built = existsSync(workerMain(context.packageRoot));
  const workers = built && only === undefined ? [...workersFor(context, base), ...programs(context)] : [];
  const opener = built && wanted('codec') ? [codec(context)] : [];
  return {
    services: [...base, ...opener, ...workers],
    ...(only && { only }),
    notes: [
      ...oldDatabases(context.home, version)
        .filter(() => wanted('temporal'))
        .map((file) => `temporal/${file} was written by another version; its closed runs are no longer listed`),
      ...(unsealed === null ? [] : [unprotected(unsealed)]),
      ...silentHost(context, base),
      ...(built || only !== undefined ? [] : ['no workers: dist/workers/main.js is not built']),
    ],
  };
}

/** False if SLIPWAY_STORE names a store, because then no program would use this one. */
const hasOwnS3 = ({ home, env }: Context): boolean => !env['SLIPWAY_STORE'] && readChoice(home).kind === 's3';

/** Notes that DOCKER_HOST was set but not used. */
function silentHost({ env }: Context, base: readonly Service[]): readonly string[] {
  const ours = base.some((service) => service.name === 'docker' && service.managed);
  return ours && env['DOCKER_HOST']
    ? [`no engine answers at DOCKER_HOST ${env['DOCKER_HOST']}: one of our own is used`]
    : [];
}

function workersFor(context: Context, base: readonly Service[]): readonly Service[] {
  const docker = base.find(({ name }) => name === 'docker')?.state(0).address ?? '';
  return ['workflows', ...queuesHere()].map((which, place) => worker(context, which, place, docker));
}
