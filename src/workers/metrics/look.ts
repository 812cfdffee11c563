import { setTimeout as wait } from 'node:timers/promises';
import type { MetricGauge, MetricMeter } from '@temporalio/common';
import { backlogOf } from '../../client/beats.js';
import type { ClientContext } from '../../client/client-context.js';
import { openRuns } from '../../client/recent.js';
import { statusOf } from '../../client/status.js';
import type { Queue } from '../../model/ids.js';
import type { RunState, RunStatus } from '../../model/messages.js';
import { isOpenOutage, type Service } from '../../model/outage.js';

const LOOK_MS = 15_000;
/** Waiting runs that are asked for their outages in one look. */
const MOST_ASKED = 20;

const STATES: readonly RunState[] = ['planning', 'running', 'waiting', 'held', 'at gate', 'paused', 'cancelling'];
const SERVICES = ['store', 'docker', 'staging', 'target', 'cluster', 'server'] as const;

/** Figures that one look at the server reads. */
export interface Seen {
  readonly runs: readonly { readonly workflowId: string; readonly state?: RunState; readonly held?: number }[];
  readonly backlogs: readonly { readonly queue: Queue; readonly tasks: number; readonly ageMs: number }[];
  /** Outages and waits of the runs that wait. */
  readonly statuses: readonly Pick<RunStatus, 'outages' | 'waiting'>[];
  /** Whether this worker's own store answers. */
  readonly storeAnswers: boolean;
}

/** Looks every 15 s at what no single worker counts, until the signal aborts: open runs, backlogs, outages. A server that does not
 * answer leaves the figures and the time of the last look as they are. */
export async function lookAtServer(look: () => Promise<Seen>, meter: MetricMeter, signal: AbortSignal): Promise<void> {
  const told = createGauges(meter);
  while (!signal.aborted) {
    await look()
      .then((seen) => told(seen, Date.now()))
      .catch(() => undefined);
    await wait(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

export async function look(
  context: ClientContext,
  queues: readonly Queue[],
  waitsFor: () => string | null,
): Promise<Seen> {
  const { options, workflowService } = context.client;
  const [runs, backlogs] = await Promise.all([
    openRuns(context),
    Promise.all(queues.map((queue) => backlogOf(workflowService, options.namespace, queue))),
  ]);
  const waiting = runs.filter(({ state }) => state === 'waiting').slice(0, MOST_ASKED);
  // A run may end meanwhile, and one without a workflow worker does not answer.
  const asked = await Promise.all(waiting.map(({ workflowId }) => statusOf(context, workflowId).catch(() => null)));
  const statuses = asked.filter((status) => status !== null);
  return { runs, backlogs, statuses, storeAnswers: waitsFor() === null };
}

export function createGauges(meter: MetricMeter): (seen: Seen, nowMs: number) => void {
  const gauge = (name: string, about: string): MetricGauge => meter.createGauge(name, 'float', undefined, about);
  const runs = gauge('slipway_runs_open', 'Open runs by state');
  const held = gauge('slipway_steps_held', 'Steps of open runs that wait for an action');
  const tasks = gauge('slipway_queue_waiting', 'Steps that wait for a slot of a worker');
  const oldest = gauge('slipway_queue_oldest_seconds', 'Age of the oldest step that waits for a worker');
  const outages = gauge('slipway_outages_open', 'Outages that steps of open runs wait for');
  const store = gauge('slipway_store_answers', 'Whether the store answers this worker');
  const at = gauge('slipway_looked_timestamp_seconds', 'Time of the last look at the server');
  return (seen, nowMs) => {
    for (const state of STATES) runs.set(seen.runs.filter((run) => run.state === state).length, { state });
    held.set(seen.runs.reduce((sum, run) => sum + (run.held ?? 0), 0));
    for (const { queue, tasks: count, ageMs } of seen.backlogs) {
      tasks.set(count, { queue });
      oldest.set(Math.max(ageMs, unservedMs(seen, queue, nowMs)) / 1000, { queue });
    }
    const open = seen.statuses.flatMap((status) => (status.outages ?? []).filter(isOpenOutage));
    for (const service of SERVICES)
      outages.set(open.filter((outage) => sortOf(outage.service) === service).length, { service });
    store.set(seen.storeAnswers ? 1 : 0);
    at.set(nowMs / 1000);
  };
}

/** Steps of a queue without workers wait in their runs, where the server does not see them. */
const unservedMs = ({ statuses }: Seen, queue: Queue, nowMs: number): number =>
  Math.max(
    0,
    ...statuses.flatMap(({ waiting = [] }) =>
      waiting.filter((one) => one.queue === queue && one.steps > 0).map(({ since }) => nowMs - since),
    ),
  );

/** `target:index` is a target, `docker on gpu` is docker, and what has no name of ours is a server. */
const sortOf = (service: Service): string => SERVICES.find((sort) => service.split(/[: ]/, 1)[0] === sort) ?? 'server';
