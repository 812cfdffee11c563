import type { WorkflowService } from '@temporalio/client';
import { BEAT_MS, type Heartbeat } from '../model/heartbeat.js';
import { askers } from './beats.js';
import type { Queue } from '../model/ids.js';
import type { WorkerHeartbeat, WorkerPoller } from './index.js';

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

/** A younger heartbeat shows a live worker; larger differences of clocks need a second look. */
const FRESH_MS = 3 * BEAT_MS;

/** Returns workers with recent heartbeats. Looks again at those that seem silent: their clock may differ. */
export async function workersOf<B extends Heartbeat = Heartbeat>(
  service: WorkflowService,
  namespace: string,
  list: (service: WorkflowService, namespace: string) => Promise<readonly B[]>,
): Promise<readonly (B & WorkerHeartbeat)[]> {
  const first = (await list(service, namespace)).filter(isThere);
  if (first.every(isFresh)) return first.map((beat) => ({ ...beat, silent: false }));
  await new Promise((again) => setTimeout(again, 2 * BEAT_MS));
  const before = new Map(first.map((beat) => [keyOf(beat), beat.atMs]));
  const second = (await list(service, namespace)).filter(isThere);
  return second.map((beat) => ({ ...beat, silent: before.get(keyOf(beat)) === beat.atMs && !isFresh(beat) }));
}

const isFresh = ({ atMs }: Heartbeat): boolean => Math.abs(Date.now() - atMs) < FRESH_MS;
/** Omits workers that shut down as intended. */
const isThere = (beat: Heartbeat): boolean => beat.running || isFresh(beat);
const keyOf = ({ identity, queue }: Heartbeat): string => `${identity} ${queue}`;
