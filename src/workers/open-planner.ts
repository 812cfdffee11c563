import { openPast } from '../activities/plan/past.js';
import type { Planner } from '../activities/plan/ports.js';
import { openAllowed } from '../activities/policy/readable.js';
import { readStandings } from '../activities/standings/chain.js';
import type { StepContext } from '../activities/step/ports.js';
import { createPlanner } from '../adapters/facts/planner.js';
import { readRoots } from '../adapters/facts/roots.js';
import { createHosts } from '../adapters/policy/hosts.js';
import { createWorkerPolicy } from '../adapters/policy/index.js';
import { openHere } from '../adapters/static-index/open-here.js';

/** Planning on a control worker. It opens indexes under the policy of this worker. */
export function openPlanner({
  store,
  signatures,
  env,
  home,
}: Pick<StepContext, 'store' | 'signatures' | 'env' | 'home'>): Planner {
  const reader = { policy: createWorkerPolicy(env, home), hosts: createHosts(), by: 'worker' } as const;
  const past = openPast(
    () => Promise.resolve(store),
    (chain) => readStandings(store, chain),
    openAllowed(reader, ({ target }) => openHere(target, { env, home })),
  );
  return createPlanner(store, signatures, () => readRoots(env, home), past);
}
