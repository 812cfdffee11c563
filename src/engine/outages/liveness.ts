import type { Heartbeat } from '../../model/heartbeat.js';

/** A worker that did not beat for so long is gone: seven beats. */
export const SILENT_MS = 15_000;
/** A clock that goes wrong by more is not believed. */
const CLOCKS_DIFFER_MS = 5000;

/** Who lives, by beats whose times are told by clocks of other machines: what counts is when a beat was seen to change.
 * A first sight is believed where its time makes sense here. */
export class LivenessTracker {
  readonly #seen = new Map<string, { readonly atMs: number; readonly changedMs: number }>();

  /** @param host this machine's name: its clock is ours */
  constructor(private readonly host: string) {}

  /** Takes in what Temporal lists now; answers those that live.
   * @param nowMs milliseconds since 1970, by our clock */
  look(beats: readonly Heartbeat[], nowMs: number): readonly Heartbeat[] {
    for (const beat of beats) {
      const { atMs } = beat;
      const before = this.#seen.get(keyOf(beat));
      if (before?.atMs === atMs) {
        // Our clock was put back: silence is counted from here, else one that is gone would live until that time comes again.
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

  /** Whether another look may show that one of these lives, whose clock differs from ours. */
  unsure(beats: readonly Heartbeat[], nowMs: number): boolean {
    return beats.some(({ host, atMs, running }) => running && host !== this.host && !plausible(atMs, nowMs));
  }
}

/** One process may serve two queues. */
const keyOf = ({ identity, queue }: Heartbeat): string => `${identity} ${queue}`;

const plausible = (atMs: number, nowMs: number): boolean => nowMs - atMs < SILENT_MS && atMs - nowMs < CLOCKS_DIFFER_MS;
