import type { Heartbeat } from '../../model/heartbeat.js';

/** A worker without a new heartbeat for this long is gone. It is the time of seven heartbeats. */
export const SILENT_MS = 15_000;
/** A clock that is off by more is not trusted. */
const CLOCKS_DIFFER_MS = 5000;

/** Tracks which workers live. A worker lives while its heartbeat changes, because clocks of other machines are not trusted.
 * The first heartbeat counts if its time is plausible by our clock. */
export class LivenessTracker {
  readonly #seen = new Map<string, { readonly atMs: number; readonly changedMs: number }>();

  /** @param host name of this machine, whose workers share our clock */
  constructor(private readonly host: string) {}

  /** Takes the list of workers from Temporal. Returns those that live.
   * @param nowMs milliseconds since 1970, by our clock */
  look(beats: readonly Heartbeat[], nowMs: number): readonly Heartbeat[] {
    for (const beat of beats) {
      const { atMs } = beat;
      const before = this.#seen.get(keyOf(beat));
      if (before?.atMs === atMs) {
        // Our clock was put back. Count silence from now, or a dead worker would live until the old time comes again.
        if (before.changedMs > nowMs) this.#seen.set(keyOf(beat), { atMs, changedMs: nowMs });
        continue;
      }
      const first = plausible(atMs, nowMs) ? Math.min(atMs, nowMs) : nowMs - SILENT_MS;
      this.#seen.set(keyOf(beat), { atMs, changedMs: before ? nowMs : first });
    }
    const listed = new Set(beats.map(keyOf));
    for (const key of this.#seen.keys()) if (!listed.has(key)) this.#seen.delete(key);
    return beats.filter((beat) => nowMs - this.#seen.get(keyOf(beat))!.changedMs < SILENT_MS);
  }

  /** Returns whether another look may show that one of these lives. Its clock may differ from ours. */
  unsure(beats: readonly Heartbeat[], nowMs: number): boolean {
    return beats.some(({ host, atMs, running }) => running && host !== this.host && !plausible(atMs, nowMs));
  }
}

/** Identifies a worker and its queue. One process may serve two queues. */
const keyOf = ({ identity, queue }: Heartbeat): string => `${identity} ${queue}`;

const plausible = (atMs: number, nowMs: number): boolean => nowMs - atMs < SILENT_MS && atMs - nowMs < CLOCKS_DIFFER_MS;
