import { setTimeout as wait } from 'node:timers/promises';
import type { NativeConnection } from '@temporalio/worker';
import type { WorkerLister } from '../activities/fleet/ports.js';
import type { Fleet } from '../activities/plan/ports.js';
import { lastAsked, listBeats } from '../client/beats.js';
import { LivenessTracker } from '../engine/outages/liveness.js';
import { BEAT_MS, type Heartbeat } from '../model/heartbeat.js';
import type { Queue } from '../model/ids.js';
import type { Slots } from '../model/worker.js';

/** Covers a new worker, which polls at once but sends its first heartbeat after an interval. */
const JUST_ASKED_MS = 10_000;
/** A server without heartbeats: a poll within the time of a long poll counts. */
const LONG_POLL_MS = 75_000;
/** Time for which runs watched in one process share an answer. */
const SHARED_MS = 1000;

export interface WhereAmI {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly host: string;
  /** Identity of this process's worker. If it is listed, the server records heartbeats. */
  readonly identity: string;
}

export interface WorkerRegistry extends Fleet, WorkerLister {
  living(): Promise<readonly Heartbeat[]>;
}

export function createWorkerRegistry({ connection, namespace, host, identity }: WhereAmI): WorkerRegistry {
  const liveness = new LivenessTracker(host);
  const service = connection.workflowService;
  let last: { readonly atMs: number; readonly beats: Promise<readonly Heartbeat[]> } | null = null;
  const beats = (): Promise<readonly Heartbeat[]> => {
    if (last === null || performance.now() - last.atMs > SHARED_MS)
      last = { atMs: performance.now(), beats: listBeats(service, namespace) };
    return last.beats;
  };
  const look = async (): Promise<readonly Heartbeat[]> => liveness.look(await beats(), Date.now());
  const living = async (): Promise<readonly Heartbeat[]> => {
    if (!liveness.unsure(await beats(), Date.now())) return look();
    await look();
    await wait(2 * BEAT_MS + SHARED_MS);
    return look();
  };
  const asked = async (queue: Queue, withinMs: number): Promise<boolean> =>
    // A poll time in the future means that the clock was set back; it proves nothing.
    Math.abs(Date.now() - (await lastAsked(service, namespace, queue))) < withinMs;
  const servedBy = async (living: readonly Heartbeat[], queues: readonly Queue[]): Promise<ReadonlySet<Queue>> => {
    const kept = living.some((beat) => beat.identity === identity);
    const sure = new Set(living.filter(isServing).map(({ queue }) => queue));
    const rest = queues.filter((queue) => !sure.has(queue));
    const late = await Promise.all(rest.map((queue) => asked(queue, kept ? JUST_ASKED_MS : LONG_POLL_MS)));
    return new Set([...sure, ...rest.filter((_, at) => late[at])]);
  };
  return {
    living,
    look: async (queues) => {
      const beats = await look();
      return { served: await servedBy(beats, queues), slots: slotsOf(beats, queues) };
    },
    slots: async (queues) => slotsOf(await look(), queues),
    unserved: async (queues) => {
      const first = await servedBy(await living(), queues);
      const rest = queues.filter((queue) => !first.has(queue));
      // A worker that has just started may not have polled yet, so look twice before refusing a queue.
      if (rest.length > 0) await wait(SHARED_MS);
      const second = rest.length > 0 ? await servedBy(await look(), rest) : first;
      return rest.filter((queue) => !second.has(queue)).map((queue) => ({ queue, since: Date.now() }));
    },
  };
}

/** Counts only workers that take steps: a draining worker's slots do not return. */
function slotsOf(beats: readonly Heartbeat[], queues: readonly Queue[]): Slots {
  const slots: Record<Queue, number> = {};
  for (const { queue, running, used, free } of beats)
    if (running && queues.includes(queue)) slots[queue] = (slots[queue] ?? 0) + used + free;
  return slots;
}

/** A draining worker still finishes its steps. */
const isServing = ({ running, used }: Heartbeat): boolean => running || used > 0;
