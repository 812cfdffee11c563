import type { RunStatus } from '../../../../model/messages.js';

/** Least time between two edits of a reply. */
export const EDIT_MS = 10_000;

export interface Telling {
  /** Statuses of the run as they change. The last one has the verdict. */
  readonly statuses: AsyncIterable<RunStatus>;
  readonly tell: (status: RunStatus, isLast: boolean) => Promise<void>;
  readonly nowMs: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** Time of the last edit by an attempt that was lost, in milliseconds since 1970. */
  readonly lastMs?: number;
  /** Called with the time of each edit. */
  readonly edited: (atMs: number) => void;
}

/** Tells how a run goes on, at most once in ten seconds, and its end. Returns the last status. Null: there was none. */
export async function followed(telling: Telling): Promise<RunStatus | null> {
  const { statuses, nowMs, pause } = telling;
  let newest: RunStatus | null = null;
  let isOver = false;
  const watching = (async () => {
    for await (const status of statuses) newest = status;
  })().finally(() => (isOver = true));
  watching.catch(() => undefined);
  let lastMs = telling.lastMs ?? 0;
  const tell = async (status: RunStatus, isLast: boolean): Promise<void> => {
    lastMs = nowMs();
    telling.edited(lastMs);
    await telling.tell(status, isLast);
  };
  for (let told: RunStatus | null = null; ;) {
    await Promise.race([watching, pause(EDIT_MS)]);
    if (isOver) break;
    if (newest !== told && newest !== null) await tell((told = newest), false);
  }
  await watching;
  if (newest === null) return null;
  await pause(Math.max(0, lastMs + EDIT_MS - nowMs()));
  await tell(newest, true);
  return newest;
}
