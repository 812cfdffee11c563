import type { RunStatus } from '../../../../model/messages.js';

/** Least time between two edits of a reply. */
const EDIT_MS = 10_000;

/** `lastMs`: time of the last edit by an attempt that was lost, in milliseconds since 1970. `edited` is called with each such time. */
export interface Telling {
  /** Statuses of the run as they change. The last one has the verdict. */
  readonly statuses: AsyncIterable<RunStatus>;
  readonly lastMs: number;
  nowMs(): number;
  pause(ms: number): Promise<void>;
  edited(atMs: number): void;
  tell(status: RunStatus, isLast: boolean): Promise<void>;
}

/** Tells how a run goes on, at most once in ten seconds, and its end. Returns the last status. Null: there was none. */
export async function followed(telling: Telling): Promise<RunStatus | null> {
  const { statuses, nowMs, pause } = telling;
  let newest: RunStatus | null = null;
  let [lastMs, isOver] = [telling.lastMs, false];
  const watching = (async () => {
    for await (const status of statuses) newest = status;
  })().finally(() => (isOver = true));
  watching.catch(() => undefined);
  const tell = (status: RunStatus, isLast: boolean): Promise<void> => {
    telling.edited((lastMs = nowMs()));
    return telling.tell(status, isLast);
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
