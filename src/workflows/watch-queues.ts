import { ActivityFailure, CancellationScope, TimeoutFailure, isCancellation, log } from '@temporalio/workflow';
import { CONTROL, type Queue } from '../model/ids.js';
import type { Skeleton } from '../model/plan.js';
import type { UnservedQueue } from '../model/worker.js';
import type { Inputs } from './inputs.js';
import { watchFleet } from './schedule.js';

/** Control workers watch the others. Where the watch itself is not taken up for so long, nobody serves control; asked again ever
 * more seldom, so that history stays short over a night. */
const FIRST_PATIENCE_MS = 30_000;
const LAST_PATIENCE_MS = 10 * 60_000;

/** Tells the run whenever one of its queues loses its last worker, or has one again, until the scope is cancelled. One activity
 * watches all; it answers only when something changed, so history grows by changes and not by time. */
export function watchQueues({ steps, unserved }: Skeleton, inputs: Inputs): CancellationScope {
  const queues = [...new Set([CONTROL, ...steps.map(({ on }) => on)])].sort();
  const scope = new CancellationScope();
  void scope
    .run(() => watch(queues, unserved ?? [], inputs))
    .catch((error: unknown) => isCancellation(error) || log.warn('the queues are no longer watched', { error }));
  return scope;
}

async function watch(queues: readonly Queue[], first: readonly UnservedQueue[], inputs: Inputs): Promise<never> {
  let patienceMs = FIRST_PATIENCE_MS;
  for (let unserved = first; ;) {
    const seen = await look(queues, unserved, patienceMs);
    patienceMs = seen === null ? Math.min(2 * patienceMs, LAST_PATIENCE_MS) : FIRST_PATIENCE_MS;
    unserved = seen ?? withoutControl(unserved);
    inputs.push({ what: 'fleet', unserved, atMs: Date.now() });
  }
}

/** Null where nobody was there to look. */
async function look(
  queues: readonly Queue[],
  unserved: readonly UnservedQueue[],
  patienceMs: number,
): Promise<readonly UnservedQueue[] | null> {
  try {
    return await watchFleet({ queues, unserved }, patienceMs);
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
