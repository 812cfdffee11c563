import type { Queue } from '../../model/ids.js';
import type { FleetSeen } from '../../model/worker.js';
import type { WorkerLister } from './ports.js';
import { SlotsSeen } from './slots-seen.js';

const LOOK_MS = 2000;
/** A restarted worker is back within this time, so an absence up to it is not reported. */
export const GRACE_MS = 10_000;

export interface FleetCheck {
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after the time, or rejects when the signal aborts. */
  readonly pause: (ms: number) => Promise<void>;
}

/** Polls the queues until the set of unserved queues or the slots change. */
export async function watchFleet(
  workers: WorkerLister,
  { queues, unserved, slots }: { readonly queues: readonly Queue[] } & FleetSeen,
  { signal, now, pause }: FleetCheck,
): Promise<FleetSeen> {
  const reported = new Map(unserved.map(({ queue, since }) => [queue, since]));
  const seen = new SlotsSeen(slots);
  const servedAt = new Map(queues.map((queue) => [queue, now()]));
  for (;;) {
    signal.throwIfAborted();
    const look = await workers.look(queues).catch(() => null);
    const served = look?.served ?? null;
    const nowMs = now();
    if (look !== null) seen.see(look.slots, nowMs);
    // If the clock was set back, the absence counts from now.
    for (const [queue, atMs] of servedAt) if (atMs > nowMs) servedAt.set(queue, nowMs);
    // If the server does not answer, the state of the workers is unknown and stays as it was.
    for (const queue of queues)
      if (served === null ? !reported.has(queue) : served.has(queue)) servedAt.set(queue, nowMs);
    const absent = queues.filter((queue) =>
      reported.has(queue) ? served === null || !served.has(queue) : nowMs - servedAt.get(queue)! > GRACE_MS,
    );
    if (absent.length !== reported.size || absent.some((queue) => !reported.has(queue)) || seen.changed)
      return {
        unserved: absent.map((queue) => ({ queue, since: reported.get(queue) ?? servedAt.get(queue)! })),
        slots: seen.answer(new Set(absent)),
      };
    await pause(LOOK_MS);
  }
}
