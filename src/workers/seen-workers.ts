import type { StepContext } from '../activities/step/ports.js';
import { fail } from '../model/failure.js';
import { workersUnknown } from './errors.js';
import type { SeenWorker } from '../activities/prove-queue/judge-workers.js';
import type { Queue } from '../model/ids.js';
import { isProved, type Proved } from '../model/proof.js';
import { readIdentity, workerRecords, type Announcement } from '../model/worker.js';
import type { WorkerRegistry } from './fleet.js';

/** Returns the workers of a queue with their announcements. Without a proof by the home's key, an announcement is
 * ignored and the worker is marked as a stranger. */
export async function seenWorkers(
  registry: Pick<WorkerRegistry, 'living'>,
  { store, proofs }: Pick<StepContext, 'proofs'> & { readonly store: Pick<StepContext['store'], 'read'> },
  queue: Queue,
): Promise<readonly SeenWorker[]> {
  const living = await registry.living().catch((error: Error) => {
    throw fail(workersUnknown(error.message), error);
  });
  const mine = living.filter((beat) => beat.queue === queue && beat.running);
  return Promise.all(
    mine.map(async ({ identity }) => {
      const known = readIdentity(identity);
      if (known === null) return { worker: identity, announcement: null };
      const { worker, instance } = known;
      const name = workerRecords.announcement(queue, worker, instance);
      const announcement = await store.read<Proved<Announcement>>(name);
      const isOurs = announcement === null || proofs === undefined || isProved(proofs, 'worker', name, announcement);
      return isOurs ? { worker, announcement } : { worker, announcement: null, stranger: true };
    }),
  );
}
