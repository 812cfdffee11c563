import { fail } from '../model/failure.js';
import { rosterSilent } from './errors.js';
import type { SeenWorker } from '../activities/prove-queue/judge-workers.js';
import type { Store } from '../activities/ports.js';
import type { Queue } from '../model/ids.js';
import { readIdentity, workerRecords, type Announcement } from '../model/worker.js';
import type { Roster } from './fleet.js';

/** Workers that take steps of a queue now, with what each announced. */
export async function seenWorkers(
  roster: Pick<Roster, 'living'>,
  store: Pick<Store, 'read'>,
  queue: Queue,
): Promise<readonly SeenWorker[]> {
  const living = await roster.living().catch((error: Error) => {
    throw fail(rosterSilent(error.message), error);
  });
  const mine = living.filter((beat) => beat.queue === queue && beat.running);
  return Promise.all(
    mine.map(async ({ identity }) => {
      const known = readIdentity(identity);
      if (known === null) return { worker: identity, announcement: null };
      const name = workerRecords.announcement(queue, known.worker, known.instance);
      return { worker: known.worker, announcement: await store.read<Announcement>(name) };
    }),
  );
}
