import type { Queue } from '../../model/ids.js';
import type { FleetSeen } from '../../model/worker.js';
import type { WorkerLister } from './ports.js';
import { SlotsSeen } from './slots-seen.js';

/** Between two looks. */
const LOOK_MS = 2000;
/** A worker that is started anew comes back within this time: no reason to alarm anybody. */
export const GRACE_MS = 10_000;

/** Clock and signals of one watch. */
export interface FleetCheck {
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after the time, or rejects when the signal aborts. */
  readonly pause: (ms: number) => Promise<void>;
}

/** Looks at the queues until others than `unserved` have nobody who serves them, or there are others than `slots`. */
export async function watchFleet(
  muster: WorkerLister,
  { queues, unserved, slots }: { readonly queues: readonly Queue[] } & FleetSeen,
  { signal, now, pause }: FleetCheck,
): Promise<FleetSeen> {
  const told = new Map(unserved.map(({ queue, since }) => [queue, since]));
  const seen = new SlotsSeen(slots);
  const servedAt = new Map(queues.map((queue) => [queue, now()]));
  for (;;) {
    signal.throwIfAborted();
    const look = await muster.look(queues).catch(() => null);
    const served = look?.served ?? null;
    const nowMs = now();
    if (look !== null) seen.see(look.slots, nowMs);
    // If our clock was put back, absence counts from now.
    for (const [queue, atMs] of servedAt) if (atMs > nowMs) servedAt.set(queue, nowMs);
    // A server that does not answer tells nothing about workers.
    for (const queue of queues) if (served === null ? !told.has(queue) : served.has(queue)) servedAt.set(queue, nowMs);
    const absent = queues.filter((queue) =>
      told.has(queue) ? served === null || !served.has(queue) : nowMs - servedAt.get(queue)! > GRACE_MS,
    );
    if (absent.length !== told.size || absent.some((queue) => !told.has(queue)) || seen.changed)
      return {
        unserved: absent.map((queue) => ({ queue, since: told.get(queue) ?? servedAt.get(queue)! })),
        slots: seen.answer(new Set(absent)),
      };
    await pause(LOOK_MS);
  }
}
