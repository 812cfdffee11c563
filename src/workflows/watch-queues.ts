import { ActivityFailure, CancellationScope, TimeoutFailure, isCancellation, log, sleep } from '@temporalio/workflow';
import { fleetSeen } from '../model/answers.js';
import { CONTROL, type Queue } from '../model/ids.js';
import type { Skeleton } from '../model/plan.js';
import type { FleetSeen, UnservedQueue } from '../model/worker.js';
import type { Inputs } from './inputs.js';
import { watchFleet } from './schedule.js';

/** Time in which a control worker must start the activity `watchFleet`. After that time control counts as unserved. The wait doubles
 * with each try, so that a night without workers adds few events to the history. */
const FIRST_PATIENCE_MS = 30_000;
const LAST_PATIENCE_MS = 10 * 60_000;

/** Wait after a malformed answer. Each try adds events to the history. */
const REFUSED_PAUSE_MS = 10_000;

/** Adds an input to the run when a queue loses its last worker, gets one again, or changes its number of slots. Ends when the returned
 * scope is cancelled. One activity watches all queues and returns only after a change, so the history does not grow with time. */
export function watchQueues({ steps, unserved = [], slots = {} }: Skeleton, inputs: Inputs): CancellationScope {
  const queues = [...new Set([CONTROL, ...steps.map(({ on }) => on)])].sort();
  const scope = new CancellationScope();
  void scope
    .run(() => watch(queues, { unserved, slots }, inputs))
    .catch((error: unknown) => isCancellation(error) || log.warn('the queues are no longer watched', { error }));
  return scope;
}

async function watch(queues: readonly Queue[], first: FleetSeen, inputs: Inputs): Promise<never> {
  let patienceMs = FIRST_PATIENCE_MS;
  for (let known = first; ;) {
    const seen = await look(queues, known, patienceMs);
    patienceMs = seen === null ? Math.min(2 * patienceMs, LAST_PATIENCE_MS) : FIRST_PATIENCE_MS;
    known = seen ?? { ...known, unserved: withoutControl(known.unserved) };
    inputs.push({ what: 'fleet', ...known, atMs: Date.now() });
  }
}

/** Returns null if no worker took the watch. */
async function look(queues: readonly Queue[], known: FleetSeen, patienceMs: number): Promise<FleetSeen | null> {
  try {
    for (;;) {
      const seen = await watchFleet({ queues, ...known }, patienceMs);
      const fault = fleetSeen(seen);
      if (fault === null) return seen;
      log.warn('an answer of the watch over queues is refused', { fault });
      await sleep(REFUSED_PAUSE_MS);
    }
  } catch (error) {
    const cause = error instanceof ActivityFailure ? error.cause : error;
    if (cause instanceof TimeoutFailure) return null;
    throw error;
  }
}

function withoutControl(unserved: readonly UnservedQueue[]): readonly UnservedQueue[] {
  if (unserved.some(({ queue }) => queue === CONTROL)) return unserved;
  return [...unserved, { queue: CONTROL, since: Date.now() - FIRST_PATIENCE_MS }];
}
