import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { boot, identityOf, lives } from '../process/identity.js';
import type { Engines } from './connection.js';
import { answered } from './watched.js';

/** Labels of every container: its worker, and a mark that is unique to it. */
export const WORKER_LABEL = 'slipway.worker';
const MARK_LABEL = 'slipway.container';
/** Removing also ends the container and unmounts its files. */
const REMOVE_MS = 60_000;

const wanted = new Set<string>();

interface Marked {
  readonly labels: Readonly<Record<string, string>>;
  /** Never rejects: if the engine is down, `removeForgotten` removes the container later. */
  remove(engines: Engines): Promise<void>;
}

/** Marks a container before it exists, so that it is found even if the engine's answer was lost. */
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

/** Removes this process's containers that are no longer used: the engine was down when they should have been
 * removed. */
export async function removeForgotten(engines: Engines): Promise<void> {
  await removeWhere(engines, `${WORKER_LABEL}=${me()}`, (labels) => !wanted.has(labels[MARK_LABEL] ?? ''));
}

/** Removes containers whose worker died. Returns how many; 0 if no engine answers. Skips containers of other
 * machines' workers and from before a reboot. */
export async function sweepContainers(engines: Engines): Promise<number> {
  return removeWhere(engines, WORKER_LABEL, orphaned).catch(() => 0);
}

/** Whether the labels name a worker of this machine that died since its start. */
export function orphaned(labels: Readonly<Record<string, string>>): boolean {
  const [pid, start] = (labels[WORKER_LABEL] ?? '').split('@');
  return !!pid && !!start?.startsWith(boot()) && !lives({ pid: Number(pid), start });
}

/** Labels that name this worker. */
export const ourLabels = (): Record<string, string> => ({ [WORKER_LABEL]: me() });

async function removeWhere(
  engines: Engines,
  label: string,
  so: (labels: Readonly<Record<string, string>>) => boolean,
): Promise<number> {
  const docker = engines();
  const filters = { label: [label] };
  const all = await answered((abortSignal) => docker.listContainers({ all: true, filters, abortSignal }));
  let removed = 0;
  for (const { Id } of all.filter(({ Labels }) => so(Labels))) removed += (await isRemoved(docker, Id)) ? 1 : 0;
  return removed;
}

/** A container that is just being started refuses its removal. */
const TRIES = 5;
const AGAIN_MS = 500;

/** False if the container is gone, another process removes it, or the engine refuses: then the next sweep removes it. */
async function isRemoved(docker: ReturnType<Engines>, id: string): Promise<boolean> {
  for (let left = TRIES; left > 0; left--) {
    try {
      await answered((abortSignal) => docker.getContainer(id).remove({ force: true, v: true, abortSignal }), REMOVE_MS);
      return true;
    } catch (error) {
      if (((error as { statusCode?: number }).statusCode ?? 0) < 500) return false;
      await pause(AGAIN_MS);
    }
  }
  return false;
}

function me(): string {
  const { pid, start } = identityOf(process.pid);
  return `${pid}@${start}`;
}
