import { clock, counted } from '../../model/counted.js';
import type { RunStatus, WaitingQueue } from '../../model/messages.js';
import { isOpenOutage, type Outage } from '../../model/outage.js';

/** An unserved queue or an open outage. */
export type Wait = WaitingQueue | Outage;

/** Returns what an open run waits for, apart from people: workers of queues, then services. */
export const waitsIn = ({ waiting = [], outages = [], verdict, state }: RunStatus): readonly Wait[] =>
  verdict || state === 'ended' ? [] : [...waiting, ...outages.filter(isOpenOutage)];

/** `waits for docker.io since 9 min`.
 * @param nowMs null for a stored text, which has no relative times */
export function waitsFor(wait: Wait, nowMs: number | null): string {
  const what = 'queue' in wait ? `a worker of the queue ${wait.queue}` : wait.service;
  return `waits for ${what} since ${nowMs === null ? clock(wait.since) : span(nowMs - wait.since)}`;
}

/** Returns the sentences about a wait: the fact, the cause of an outage, and the next step.
 * @param nowMs null for a stored text */
export function waitSentences(wait: Wait, nowMs: number | null): readonly [string, ...string[], string] {
  const fact = `${waitsFor(wait, nowMs)}: ${counted(wait.steps, 'step')}`;
  if ('queue' in wait) {
    const limit = wait.until === undefined ? '' : `, and the first fails at ${clock(wait.until)}`;
    return [`${fact}${limit}`, `type ${wait.could}`];
  }
  const { nextTryAt, trying, message, next } = wait;
  return [`${fact}${trying === undefined ? nextTry(nextTryAt, nowMs) : `, tried now by ${trying}`}`, message, next];
}

function nextTry(atMs: number | undefined, nowMs: number | null): string {
  if (atMs === undefined) return '';
  if (nowMs === null) return `, next try at ${clock(atMs)}`;
  return atMs <= nowMs ? ', next try now' : `, next try in ${span(atMs - nowMs)}`;
}

/** Describes an ended outage for the verdict. */
export function outageStory({ service, since, until, steps }: Outage): string {
  const waited = `${counted(steps, 'step')} waited`;
  if (until === undefined) return `${service} has not answered since ${clock(since)}: ${waited}`;
  return `${service} did not answer for ${span(until - since)} from ${clock(since)}: ${waited}`;
}

/** Formats a duration: `40 s`, `12 min`, `3 h 5 min`. */
function span(ms: number): string {
  if (ms < 60_000) return `${Math.max(0, Math.round(ms / 1000))} s`;
  const minutes = Math.round(ms / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
