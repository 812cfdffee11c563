import { openPast } from '../activities/plan/past.js';
import type { Planner } from '../activities/plan/ports.js';
import { openAllowed } from '../activities/policy/readable.js';
import { readStandings } from '../activities/standings/chain.js';
import type { StepContext } from '../activities/step/ports.js';
import { makePrivateFolder } from '../activities/step/private-folder.js';
import { planApart } from '../adapters/facts/plan-apart.js';
import { createPlanner } from '../adapters/facts/planner.js';
import { readRoots } from '../adapters/facts/roots.js';
import { createHosts } from '../adapters/policy/hosts.js';
import { createWorkerPolicy } from '../adapters/policy/index.js';
import { openHere } from '../adapters/static-index/open-here.js';

interface Around extends Pick<StepContext, 'store' | 'signatures' | 'env' | 'home'> {
  /** Starts a planning process after each plan, for the next one. */
  readonly warm?: boolean;
  /** Returns the signal that ends the planning of the caller. Absent: nothing does. */
  readonly stopped?: () => AbortSignal;
}

/** Planning on a control worker. It opens indexes under the policy of this worker, and reads the
 * files of a project in a process without its keys. */
export function openPlanner({
  store,
  signatures,
  env,
  home,
  stopped = () => new AbortController().signal,
  warm = false,
}: Around): Planner {
  const reader = { policy: createWorkerPolicy(env, home), hosts: createHosts(), by: 'worker' } as const;
  const past = openPast(
    () => Promise.resolve(store),
    (chain) => readStandings(store, chain),
    openAllowed(reader, ({ target }) => openHere(target, { env, home })),
  );
  const here = createPlanner(store, signatures, (kind) => readRoots(env, home, kind));
  const temporary = () => makePrivateFolder(home, 'planning');
  return { ...here, ...planApart({ ...{ env, home, store, signatures }, past, stopped, warm, temporary }) };
}
