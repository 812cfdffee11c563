import type { WorkflowService } from '@temporalio/client';
import { BEAT_MS, type Heartbeat } from '../model/heartbeat.js';
import { askers, listBeats } from './beats.js';
import type { Queue } from '../model/ids.js';

/** A worker of steps; one that is silent beat before, and does no more. */
export interface WorkerHeartbeat extends Heartbeat {
  readonly silent: boolean;
}

/** A program that asked for steps of a queue lately: it may send no heartbeats. */
export interface WorkerPoller {
  readonly identity: string;
  readonly queue: Queue;
  readonly atMs: number;
}

/** A long poll takes a minute. */
const ASKED_MS = 75_000;

export async function pollersOf(
  service: WorkflowService,
  namespace: string,
  queues: readonly Queue[],
): Promise<readonly WorkerPoller[]> {
  const all = await Promise.all(queues.map((queue) => askers(service, namespace, queue)));
  return all.flat().filter(({ atMs }) => Math.abs(Date.now() - atMs) < ASKED_MS);
}

/** A worker whose last beat is so young lives; clocks of machines differ by less, or the second look tells. */
const FRESH_MS = 3 * BEAT_MS;

/** Workers that beat now or did so lately. Those that seem silent are looked at again: their clock may differ from ours. */
export async function workersOf(service: WorkflowService, namespace: string): Promise<readonly WorkerHeartbeat[]> {
  const first = (await listBeats(service, namespace)).filter(isThere);
  if (first.every(isFresh)) return first.map((beat) => ({ ...beat, silent: false }));
  await new Promise((again) => setTimeout(again, 2 * BEAT_MS));
  const before = new Map(first.map((beat) => [keyOf(beat), beat.atMs]));
  const second = (await listBeats(service, namespace)).filter(isThere);
  return second.map((beat) => ({ ...beat, silent: before.get(keyOf(beat)) === beat.atMs && !isFresh(beat) }));
}

const isFresh = ({ atMs }: Heartbeat): boolean => Math.abs(Date.now() - atMs) < FRESH_MS;
/** One that ended as it should is no news. */
const isThere = (beat: Heartbeat): boolean => beat.running || isFresh(beat);
const keyOf = ({ identity, queue }: Heartbeat): string => `${identity} ${queue}`;
