import { randomUUID } from 'node:crypto';
import { boot, identityOf, lives } from '../process/identity.js';
import type { Engines } from './connection.js';
import { answered } from './watched.js';

/** Labels of every container of ours: who watches over it, and which of its containers it is. */
export const WORKER_LABEL = 'slipway.worker';
const MARK_LABEL = 'slipway.container';
/** Removing ends the container and unmounts its files. */
const REMOVE_MS = 60_000;

/** Containers that somebody in this process waits for, by their marks. */
const wanted = new Set<string>();

interface Marked {
  readonly labels: Readonly<Record<string, string>>;
  /** Never rejects: what an engine that is gone keeps, the next container takes along. */
  remove(engines: Engines): Promise<void>;
}

/** A mark for a container before it is there: it is found again even where the answer to its making was lost. */
export function markOurs(): Marked {
  const mark = randomUUID();
  wanted.add(mark);
  return {
    labels: { [WORKER_LABEL]: me(), [MARK_LABEL]: mark },
    remove: async (engines) => {
      wanted.delete(mark);
      await removeWhere(engines, `${MARK_LABEL}=${mark}`, () => true).catch(() => undefined);
    },
  };
}

/** Removes containers of this process that nobody waits for: their engine was gone when they should have been removed. */
export async function removeForgotten(engines: Engines): Promise<void> {
  await removeWhere(engines, `${WORKER_LABEL}=${me()}`, (labels) => !wanted.has(labels[MARK_LABEL] ?? ''));
}

/** Removes containers whose worker died before it could. Answers how many; none where no engine answers.
 * A container of another machine's worker, or from before a reboot, is left alone. */
export async function sweepContainers(engines: Engines): Promise<number> {
  const orphaned = (labels: Readonly<Record<string, string>>): boolean => {
    const [pid, start] = (labels[WORKER_LABEL] ?? '').split('@');
    return !!pid && !!start?.startsWith(boot()) && !lives({ pid: Number(pid), start });
  };
  return removeWhere(engines, WORKER_LABEL, orphaned).catch(() => 0);
}

async function removeWhere(
  engines: Engines,
  label: string,
  so: (labels: Readonly<Record<string, string>>) => boolean,
): Promise<number> {
  const docker = engines();
  const filters = { label: [label] };
  const all = await answered((abortSignal) => docker.listContainers({ all: true, filters, abortSignal }));
  let removed = 0;
  for (const { Id } of all.filter(({ Labels }) => so(Labels)))
    await answered(
      (abortSignal) => docker.getContainer(Id).remove({ force: true, v: true, abortSignal }),
      REMOVE_MS,
    ).then(
      () => (removed += 1),
      // It went by itself, somebody else is at it, or it stays for the next time.
      () => undefined,
    );
  return removed;
}

function me(): string {
  const { pid, start } = identityOf(process.pid);
  return `${pid}@${start}`;
}
