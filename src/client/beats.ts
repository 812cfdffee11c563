import type { WorkflowService } from '@temporalio/client';
import type { Heartbeat } from '../model/heartbeat.js';
import type { Queue } from '../model/ids.js';

/** Numbers of temporal.api.enums.v1. */
const RUNNING = 1;
const ACTIVITY = 2;
const PAGE = 500;
const MOST_PAGES = 20;

type Asked = Pick<WorkflowService, 'listWorkers' | 'describeTaskQueue'>;

/** Returns the heartbeats of workers with slots for steps. */
export async function listBeats(service: Asked, namespace: string): Promise<readonly Heartbeat[]> {
  return (await allBeats(service, namespace)).filter(({ used, free }) => used + free > 0);
}

/** A heartbeat of a worker that executes workflow code. Its deployment is empty if it has none. */
export type BuildBeat = Heartbeat & { readonly deployment: string; readonly build: string };

export async function listBuildBeats(service: Asked, namespace: string): Promise<readonly BuildBeat[]> {
  return (await allBeats(service, namespace)).filter(({ executes }) => executes);
}

async function allBeats(service: Asked, namespace: string): Promise<readonly (BuildBeat & { executes: boolean })[]> {
  const beats: (BuildBeat & { executes: boolean })[] = [];
  let nextPageToken: Uint8Array | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer: Awaited<ReturnType<Asked['listWorkers']>> = await service.listWorkers({
      namespace,
      pageSize: PAGE,
      ...(nextPageToken && { nextPageToken }),
    });
    for (const { workerHeartbeat: told } of answer.workersInfo)
      if (told) {
        const slots = told.workflowTaskSlotsInfo;
        beats.push({
          identity: told.workerIdentity ?? '',
          queue: told.taskQueue ?? '',
          host: told.hostInfo?.hostName ?? '',
          atMs: msOf(told.heartbeatTime),
          startedMs: msOf(told.startTime),
          running: told.status === RUNNING,
          used: told.activityTaskSlotsInfo?.currentUsedSlots ?? 0,
          free: told.activityTaskSlotsInfo?.currentAvailableSlots ?? 0,
          pollers: told.activityPollerInfo?.currentPollers ?? 0,
          deployment: told.deploymentVersion?.deploymentName ?? '',
          build: told.deploymentVersion?.buildId ?? '',
          executes: Boolean(slots?.currentUsedSlots || slots?.currentAvailableSlots),
        });
      }
    nextPageToken = answer.nextPageToken.length > 0 ? answer.nextPageToken : null;
    if (nextPageToken === null) break;
  }
  return beats;
}

/** Returns when a worker last polled a queue, in milliseconds since 1970. 0 if none did for five minutes. A worker
 * with all slots in use does not poll. */
export async function lastAsked(service: Asked, namespace: string, queue: Queue): Promise<number> {
  return Math.max(0, ...(await askers(service, namespace, queue)).map(({ atMs }) => atMs));
}

/** Returns the pollers of a queue in the last five minutes. */
export async function askers(
  service: Asked,
  namespace: string,
  queue: Queue,
): Promise<readonly { readonly identity: string; readonly queue: Queue; readonly atMs: number }[]> {
  const { pollers } = await service.describeTaskQueue({
    namespace,
    taskQueue: { name: queue },
    taskQueueType: ACTIVITY,
  });
  return (pollers ?? []).map(({ identity, lastAccessTime }) => ({
    identity: identity ?? '',
    queue,
    atMs: msOf(lastAccessTime),
  }));
}

/** Returns how many activities wait on a queue, and the age of the oldest. The server's figures are approximate. */
export async function backlogOf(
  service: Asked,
  namespace: string,
  queue: Queue,
): Promise<{ readonly queue: Queue; readonly tasks: number; readonly ageMs: number }> {
  const { stats } = await service.describeTaskQueue({
    namespace,
    taskQueue: { name: queue },
    taskQueueType: ACTIVITY,
    reportStats: true,
  });
  const tasks = Number(String(stats?.approximateBacklogCount ?? 0));
  return { queue, tasks, ageMs: tasks === 0 ? 0 : msOf(stats?.approximateBacklogAge) };
}

/** Converts a protobuf timestamp, whose seconds may be a Long. */
export function msOf(time: { seconds?: unknown; nanos?: number | null } | null | undefined): number {
  return time ? Number(String(time.seconds ?? 0)) * 1000 + Math.floor((time.nanos ?? 0) / 1e6) : 0;
}
