import type { Heartbeat } from '../../model/heartbeat.js';

/** A worker without a new heartbeat for this long is dead. It spans seven heartbeats. */
export const SILENT_MS = 15_000;
/** Tolerated difference between our clock and a heartbeat's. */
const CLOCKS_DIFFER_MS = 5000;

/** Tracks live workers. A worker is alive while its heartbeat changes, because remote clocks are not trusted. The first
 * heartbeat counts if its time is plausible by our clock. */
export class LivenessTracker {
  readonly #seen = new Map<string, { readonly atMs: number; readonly changedMs: number }>();

  /** @param host name of this machine, whose workers share our clock */
  constructor(private readonly host: string) {}

  /** Takes Temporal's list of workers. Returns the live ones.
   * @param nowMs milliseconds since 1970, by our clock */
  look(beats: readonly Heartbeat[], nowMs: number): readonly Heartbeat[] {
    for (const beat of beats) {
      const { atMs } = beat;
      const before = this.#seen.get(keyOf(beat));
      if (before?.atMs === atMs) {
        // Our clock was set back. Silence counts from now, otherwise a dead worker would live until the old time.
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

  /** Whether a second look may show a live worker, because its clock may differ from ours. */
  unsure(beats: readonly Heartbeat[], nowMs: number): boolean {
    return beats.some(({ host, atMs, running }) => running && host !== this.host && !plausible(atMs, nowMs));
  }
}

const keyOf = ({ identity, queue }: Heartbeat): string => `${identity} ${queue}`;

const plausible = (atMs: number, nowMs: number): boolean => nowMs - atMs < SILENT_MS && atMs - nowMs < CLOCKS_DIFFER_MS;
