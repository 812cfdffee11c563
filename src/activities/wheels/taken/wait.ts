import { setTimeout as pause } from 'node:timers/promises';
import { fail } from '../../../model/failure.js';
import type { Work } from '../../work.js';
import { wheelNotThere } from './errors.js';
import type { Absent } from './ports.js';

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  wait(ms: number, signal: AbortSignal): Promise<unknown>;
}
export const CLOCK: Clock = { now: () => Date.now(), wait: (ms, signal) => pause(ms, undefined, { signal }) };

const POLL_MS = 30_000;

type Waiting = Pick<Work<'takeWheel'>, 'remember' | 'round' | 'log' | 'signal' | 'waits' | 'step'>;

/** Asks until a wheel is there. The first time of asking is stored for all attempts of a round: a worker that takes over does not
 * begin anew. Throws WHEEL_NOT_THERE when the time is over.
 * @param ask returns why the wheel is not there yet, or what it is */
export async function untilThere<T extends object | null>(
  work: Waiting,
  place: string,
  ask: () => Promise<T | Absent>,
  clock: Clock = CLOCK,
): Promise<T> {
  const beganAt = clock.now();
  const { at: firstAt } = await work.remember(firstAsk(work.round), { at: beganAt });
  const endAt = firstAt + work.step.params.waitMs;
  try {
    for (let times = 1; ; times += 1) {
      const found = await ask();
      if (found === null || !('absent' in found)) return found;
      const asked = `asked ${times} ${times === 1 ? 'time' : 'times'} since ${timesOf(firstAt, beganAt)}`;
      const leftMs = endAt - clock.now();
      if (leftMs <= 0) throw fail(wheelNotThere(place, found.absent, asked));
      const told = `${place} is not there yet: it ${found.absent}; ${asked}, gives up at ${iso(endAt)}`;
      work.waits(told);
      work.log.write(`${told}\n`);
      await clock.wait(Math.min(POLL_MS, leftMs), work.signal);
    }
  } finally {
    work.waits(null);
  }
}

const firstAsk = (round: number | undefined): string => (round === undefined ? 'first-ask' : `first-ask-${round}`);

/** An attempt that took over names both times: it does not know how often the one before asked. */
const timesOf = (firstAt: number, beganAt: number): string =>
  firstAt === beganAt ? iso(firstAt) : `${iso(beganAt)}, first at ${iso(firstAt)}`;

const iso = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
