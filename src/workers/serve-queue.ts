import { hostname } from 'node:os';
import { Client } from '@temporalio/client';
import { Runtime, Worker } from '@temporalio/worker';
import type { EndedRuns } from '../activities/report/keep-status.js';
import type { Bisects } from '../activities/standings/start-bisects.js';
import { readFleet } from '../adapters/facts/profile.js';
import { createIndexWriter } from '../adapters/temporal/index-writer.js';
import { createAfterwards, type Keeping } from '../adapters/temporal/afterwards.js';
import { startBisect } from '../client/bisect.js';
import type { ClientContext } from '../client/client-context.js';
import { openRun } from '../client/status.js';
import { CONTROL, FLEET, WATCH, type Queue } from '../model/ids.js';
import { KINDS, type KindName } from '../model/kinds.js';
import { ROLES } from '../model/proof.js';
import { runActivities, type StepActivities, stepActivities, watchActivities } from './activities.js';
import { announce } from './announce.js';
import { indexActivities } from './index-activities.js';
import { createWorkerRegistry } from './fleet.js';
import { createCounts } from './metrics/counts.js';
import { look, lookAtServer } from './metrics/look.js';
import { slotsOf } from './options.js';
import type { NodeList } from './feature.js';
import { seenWorkers } from './seen-workers.js';
import { common, run, type WorkerProcess } from './serve.js';
import { stepIds } from './step-ids.js';
import { stopAll } from './stopping.js';
import { surroundings } from './surroundings.js';
import { endedOf, withFeatures } from './with-features.js';
import { createWorkerActions } from './worker-actions.js';

/** A drain waits for the longest step. stopping.ts limits the time after a signal. */
const DRAIN_LIMIT = '30d';
/** Concurrent watches; each only waits. */
const WATCHES = 1000;

/** Announces the worker and serves a queue until an action or a signal ends it. */
export async function serveQueue(queue: Queue, shared: WorkerProcess, features: NodeList): Promise<void> {
  const { me, connection, server, stopping, log, kept } = shared;
  const { metricMeter: meter } = Runtime.instance();
  const counts = shared.metrics ? createCounts(meter) : undefined;
  const around = await surroundings(me.worker, stopping.signal, queue === CONTROL ? ROLES : ['worker'], counts);
  const actions = createWorkerActions(around.pointers, me.worker);
  if (!(await actions.admitted(kept ? () => shared.ready.write() : null, stopping.asked))) return;
  const equipped = await announce(queue, me, around);
  const registry = createWorkerRegistry({
    connection,
    namespace: server.namespace,
    host: hostname(),
    identity: me.identity,
  });
  const keeping = afterwards(queue, shared);
  const context: ClientContext = { client: clientOf(shared), address: server.address };
  const writer = createIndexWriter(context.client);
  const bisects: Bisects = { start: (workflowId, input) => startBisect(context, workflowId, input) };
  const activities = stepActivities(
    { ...equipped.around, servesControl: queue === CONTROL, afterwards: keeping },
    {
      interpreters: equipped.interpreters,
      workers: (asked) => seenWorkers(registry, around, asked),
      ...(queue === CONTROL && { bisects, openRun: (workflowId) => openRun(context, workflowId), writer }),
    },
    features,
  );
  const ended = [...endedOf(around, writer, features), endWatch(context.client)];
  const ofControl = () => ({ ...activities, ...runActivities(around, registry, ended) });
  const ofWatches = () => ({ ...watching(activities, registry), ...indexActivities(around) });
  const steps = await Worker.create({
    ...common(shared),
    taskQueue: queue,
    activities: queue === CONTROL ? withFeatures('control', ofControl(), features, around) : activities,
    interceptors: { activity: [stepIds] },
    maxConcurrentActivityTaskExecutions: slotsOf(queue),
    shutdownGraceTime: DRAIN_LIMIT,
    ...HEARTBEATS,
  });
  const watches =
    queue === CONTROL ? [await watchWorker(shared, withFeatures('watches', ofWatches(), features, around))] : [];
  const over = new AbortController();
  if (shared.metrics && queue === CONTROL) {
    const queues = Object.keys((await readFleet()).queues);
    void lookAtServer(() => look(context, queues, () => around.waitsFor?.() ?? null), meter, over.signal);
  }
  const left = actions.leave(over.signal).then((record) => {
    if (record) log.info({ record }, 'asked to take no more');
    if (record) stopAll([steps, ...watches]);
    return record;
  });
  try {
    await run(shared, [steps, ...watches], queue);
    await Promise.race([keeping.idle(), aborted(stopping.signal)]);
  } finally {
    over.abort();
  }
  // A supervisor would restart the process at once, so it waits for `release` instead.
  if (kept && !stopping.asked.aborted && (await left) !== null)
    await Promise.race([actions.released(), aborted(stopping.asked)]);
}

const clientOf = ({ connection, server, converter }: WorkerProcess): Client =>
  new Client({ connection, namespace: server.namespace, dataConverter: converter });

/** Reports the cancelled watch of a run that ends. The watching worker does it within a second, and a run that closes before lists the
 * watch as pending for ever. */
const endWatch =
  ({ activity }: Client): EndedRuns =>
  async (_, { workflowId }) => {
    await activity.reportCancellation({ workflowId, activityId: WATCH }).catch(() => undefined); // it has ended by itself
    return [];
  };

/** Results that may be reported at once: as many as slots, beside the steps that use those slots. */
const afterwards = (queue: Queue, shared: WorkerProcess): Keeping =>
  createAfterwards(clientOf(shared).activity, slotsOf(queue));

/** A lost worker is noticed, and a cancel delivered, within a second. Temporal's default throttles are 60 and 30 s. */
const HEARTBEATS = { maxHeartbeatThrottleInterval: '500ms', defaultHeartbeatThrottleInterval: '500ms' } as const;

/** Activities that wait for hours. They use none of the slots of steps. */
const watching = (steps: StepActivities, registry: Parameters<typeof watchActivities>[0]) => ({
  ...watchActivities(registry),
  ...Object.fromEntries(Object.entries(steps).filter(([kind]) => KINDS[kind as KindName].waits === 'watch')),
});

async function watchWorker(shared: WorkerProcess, activities: object): Promise<Worker> {
  return Worker.create({
    ...common(shared),
    taskQueue: FLEET,
    activities,
    interceptors: { activity: [stepIds] },
    maxConcurrentActivityTaskExecutions: WATCHES,
    shutdownGraceTime: 0,
    ...HEARTBEATS,
  });
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
