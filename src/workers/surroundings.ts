import { join } from 'node:path';
import type { StepContext } from '../activities/step/ports.js';
import { createPoints } from '../adapters/drill-points.js';
import { createPlanSignatures } from '../adapters/facts/plan-signatures.js';
import { home, toolsBin } from '../adapters/home.js';
import { makeHomeKeys } from '../adapters/home-keys/make.js';
import { openHomeKeys, keysFolder } from '../adapters/home-keys/open.js';
import { provedStore } from '../adapters/home-keys/proved-store.js';
import { serviceLogins } from '../adapters/home-keys/service-secrets.js';
import { createLogWriter } from '../adapters/logs/writer.js';
import { createWorkerPolicy } from '../adapters/policy/index.js';
import { createPrograms } from '../adapters/process/programs.js';
import { openStore } from '../adapters/store/open.js';
import type { OpenStore } from '../adapters/store/opened.js';
import type { Proofs, Role } from '../model/proof.js';
import { SERVICE_SECRETS } from '../model/service-login.js';
import { createAddresses } from './addresses.js';
import { countedStore, type Counts } from './metrics/counts.js';
import { sha256 } from '../adapters/sha256.js';

/** Creates the context of a worker's steps with real adapters.
 * @param signs roles that the worker signs for @param counts for its page of metrics */
export async function surroundings(
  worker: string,
  stopping: AbortSignal,
  signs: readonly Role[],
  counts?: Counts,
): Promise<StepContext & { readonly pointers: OpenStore['pointers']; readonly proofs: Proofs }> {
  const folder = home();
  const { layout, waitsFor, pointers, ...bare } = await openStore(process.env, folder);
  const proofs = homeKeys(process.env, folder, signs);
  const counted = <S extends object>(part: S): S => (counts ? countedStore(part, counts.storeErrors) : part);
  const store = provedStore(counted(bare), proofs);
  return {
    store,
    signatures: createPlanSignatures(store, proofs),
    pointers: counted(pointers),
    layout,
    waitsFor,
    programs: createPrograms({ running: join(folder, 'running') }),
    hash: sha256,
    now: Date.now,
    ticks: () => performance.now(),
    home: folder,
    toolsBin: toolsBin(),
    env: process.env,
    policy: createWorkerPolicy(process.env, folder),
    worker,
    stopping,
    openLog: (prefix) => createLogWriter(store, prefix),
    proofs,
    // Builds run beside the other workers, which publish nothing.
    login: serviceLogins(keysFolder(process.env, folder), signs.includes('control') ? SERVICE_SECRETS : ['staging']),
    service: await createAddresses(folder, { pointers, proofs, env: process.env }),
    ...(counts && { counts: counts.attempt }),
    ...createPoints(process.env),
  };
}

/** Creates keys for the first worker of a home. A home with another home's store needs that home's keys. */
function homeKeys(env: NodeJS.ProcessEnv, home: string, signs: readonly Role[]): Proofs {
  const folder = keysFolder(env, home);
  if (!env['SLIPWAY_STORE'] && !env['SLIPWAY_KEYS']) makeHomeKeys(folder);
  return openHomeKeys(folder, signs);
}
