import { ActivityFailure, CancellationScope, TimeoutFailure, isCancellation, log, sleep } from '@temporalio/workflow';
import { fleetSeen } from '../model/answers.js';
import { CONTROL, type Queue } from '../model/ids.js';
import type { Skeleton } from '../model/plan.js';
import type { FleetSeen, UnservedQueue } from '../model/worker.js';
import type { Inputs } from './inputs.js';
import { watchFleet } from './schedule.js';

/** Control workers watch the others. Where the watch itself is not taken up for so long, nobody serves control; asked again ever
 * more seldom, so that history stays short over a night. */
const FIRST_PATIENCE_MS = 30_000;
const LAST_PATIENCE_MS = 10 * 60_000;

/** An answer that no worker of ours gives is asked for again, not too soon: each asking is part of the history. */
const REFUSED_PAUSE_MS = 10_000;

/** Tells the run whenever one of its queues loses its last worker, has one again, or has more slots or fewer, until the scope is cancelled. One activity
 * watches all; it answers only when something changed, so history grows by changes and not by time. */
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
