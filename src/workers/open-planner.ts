import { openPast } from '../activities/plan/past.js';
import type { Planner } from '../activities/plan/ports.js';
import { openAllowed } from '../activities/policy/readable.js';
import { readStandings } from '../activities/standings/chain.js';
import { makePrivateFolder } from '../activities/step/workspace.js';
import { type Around, planInChildProcess } from '../adapters/facts/plan-in-child-process.js';
import { createPlanner } from '../adapters/facts/planner.js';
import { readRoots } from '../adapters/facts/roots.js';
import { createHosts, createWorkerPolicy } from '../adapters/policy/index.js';
import { openHere } from '../adapters/static-index/open-here.js';

/** Planning on a control worker. It opens indexes under the policy of this worker, and reads the
 * files of a project in a process without its keys. */
export function openPlanner(around: Omit<Around, 'past' | 'temporary'>): Planner {
  const { store, signatures, env, home } = around;
  const reader = { policy: createWorkerPolicy(env, home), hosts: createHosts(), by: 'worker' } as const;
  const past = openPast(
    () => Promise.resolve(store),
    (chain) => readStandings(store, chain),
    openAllowed(reader, ({ target }) => openHere(target, { env, home })),
  );
  const here = createPlanner(store, signatures, (kind) => readRoots(env, home, kind));
  const temporary = () => makePrivateFolder(home, 'planning');
  return { ...here, ...planInChildProcess({ ...around, past, temporary }) };
}
