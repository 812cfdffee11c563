import { setTimeout as pause } from 'node:timers/promises';
import { atMost, notTaken, row } from '../rows.mjs';

const ASK_EVERY_MS = 100;

/** Kills the workflows' worker of a run with so many events. The clock starts with the new process, and stops when the server
 * has the next step. The run is paused meanwhile, so that no time-out of a task counts. */
export async function cold(ground, { named, plan, events, note }) {
  const [name, goal] = [`${named}, cold worker → next step near the end of a history`, atMost(5)];
  const handle = await ground.release(plan);
  const first = ground.client.workflow.getHandle(handle.workflowId, handle.firstExecutionRunId);
  try {
    await until(first, ({ historyLength }) => historyLength >= events);
    await handle.executeUpdate('pause', { args: [{ reason: 'its worker is killed' }] });
    const { status, historyLength } = await until(first, isStill);
    if (status.name !== 'RUNNING') return notTaken(name, 's', `the history is ${status.name}`, goal);
    await ground.slipway.kill();
    const beganMs = Date.now();
    const resumed = handle.signal('resume', { reason: 'it is back' });
    await ground.slipway.start();
    const readyMs = Date.now() - beganMs;
    await resumed;
    const cpuMs = ground.slipway.cpuMs();
    await until(first, (now) => now.historyLength > historyLength + 20);
    const nextMs = (await nextStepAt(first, beganMs)) - beganMs;
    const usedMs = ground.slipway.cpuMs() - cpuMs;
    note(
      `engine, ${name}, ${historyLength} events: ready after ${readyMs} ms, next step after ${Math.round(nextMs)}, CPU between ${usedMs}`,
    );
    return row(name, nextMs / 1000, 's', { reference: readyMs / 1000, goal });
  } finally {
    await handle.terminate().catch(() => undefined); // it may have ended
  }
}

/** Asks what the server says of a history until it holds, or until the history is closed. */
async function until(handle, holds) {
  for (;;) {
    const now = await handle.describe();
    if (holds(now) || now.status.name !== 'RUNNING') return now;
    await pause(ASK_EVERY_MS);
  }
}

const isStill = ({ raw }) =>
  !raw.pendingWorkflowTask && !(raw.pendingActivities ?? []).some(({ activityId }) => isStep(activityId));

const isStep = (activityId) => activityId.startsWith('steps/');

/** Returns when the server scheduled the first step since then, in milliseconds since 1970. */
async function nextStepAt(handle, sinceMs) {
  const { events } = await handle.fetchHistory();
  const times = events
    .filter(({ activityTaskScheduledEventAttributes: made }) => made && isStep(made.activityId))
    .map(({ eventTime: { seconds, nanos } }) => Number(seconds) * 1000 + nanos / 1e6);
  return times.find((atMs) => atMs >= sinceMs);
}
