import type { Outage } from '../../model/outage.js';
import { clock } from './unserved-queues.js';

/** Returns two sentences about an outage: the problem, and the next step.
 * @param nowMs null for a stored text, which has no relative times */
export function outageSentences(outage: Outage, nowMs: number | null): readonly [string, string] {
  const { service, since, steps, nextTryAt, trying, message, next } = outage;
  const lasts = nowMs === null ? '' : ` (${span(nowMs - since)})`;
  const who = steps === 1 ? '1 step waits' : `${steps} steps wait`;
  const tries = trying === undefined ? nextTry(nextTryAt, nowMs) : `, tried now by ${trying}`;
  return [`${service} does not answer, since ${clock(since)}${lasts}: ${who}${tries}`, `${message}. ${next}`];
}

function nextTry(atMs: number | undefined, nowMs: number | null): string {
  if (atMs === undefined) return '';
  if (nowMs === null) return `, next try at ${clock(atMs)}`;
  return atMs <= nowMs ? ', next try now' : `, next try in ${span(atMs - nowMs)}`;
}

/** Describes an ended outage for the verdict. */
export function outageStory({ service, since, until, steps }: Outage): string {
  const waited = steps === 1 ? '1 step waited' : `${steps} steps waited`;
  if (until === undefined) return `${service} has not answered since ${clock(since)}: ${waited}`;
  return `${service} did not answer for ${span(until - since)} from ${clock(since)}: ${waited}`;
}

/** Formats a duration: `40 s`, `12 min`, `3 h 5 min`. */
function span(ms: number): string {
  if (ms < 60_000) return `${Math.max(0, Math.round(ms / 1000))} s`;
  const minutes = Math.round(ms / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
