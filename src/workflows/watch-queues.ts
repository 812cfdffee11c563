import { CancellationScope, isCancellation, log } from '@temporalio/workflow';
import { CONTROL } from '../model/ids.js';
import type { Skeleton } from '../model/plan.js';
import type { Inputs } from './inputs.js';
import { watchFleet } from './schedule.js';

/** Tells the run whenever one of its queues loses its last worker, or has one again, until the scope is cancelled. One activity
 * watches all; it answers only when something changed, so history grows by changes and not by time. */
export function watchQueues({ steps, unserved }: Skeleton, inputs: Inputs): CancellationScope {
  // Whoever serves control also serves the watch: while nobody does, nobody could tell.
  const queues = [...new Set(steps.map(({ on }) => on))].filter((queue) => queue !== CONTROL).sort();
  const scope = new CancellationScope();
  if (queues.length > 0)
    void scope
      .run(() => watch(queues, unserved ?? [], inputs))
      .catch((error: unknown) => isCancellation(error) || log.warn('the queues are no longer watched', { error }));
  return scope;
}

async function watch(queues: readonly string[], first: Skeleton['unserved'] & object, inputs: Inputs): Promise<never> {
  for (let unserved = first; ;) {
    unserved = await watchFleet({ queues, unserved });
    inputs.push({ what: 'fleet', unserved, atMs: Date.now() });
  }
}
