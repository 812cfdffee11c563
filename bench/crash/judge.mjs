import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { historiesOf } from '../history-chain.mjs';
import { dataConverter } from './ground.mjs';

const require = createRequire(import.meta.url);
const { Client } = require('@temporalio/client');
const { NativeConnection, Worker } = require('@temporalio/worker');

/** Loads the histories of a run, the first one first.
 * @param first Temporal's id of the first */
export const loadHistories = (ground, workflowId, first) =>
  ground.ask(async (client) => {
    const loaded = [];
    for (const { runId, status } of await historiesOf(client, workflowId, first)) {
      const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
      loaded.push({ id: workflowId, runId, name: `history ${loaded.length + 1}`, status: status.name, history });
    }
    return loaded;
  });

/** What became of each step, by the server's own word. */
export function countSteps(histories, problems) {
  const seen = new Map();
  const of = (id) => seen.get(id) ?? (seen.set(id, { scheduled: 0, completed: 0, lost: 0 }), seen.get(id));
  let tasksFailed = 0;
  let premature = 0;
  for (const [at, { name, history, status }] of histories.entries()) {
    const wanted = at < histories.length - 1 ? 'CONTINUED_AS_NEW' : 'COMPLETED';
    if (status !== wanted) problems.push(`${name} is ${status}`);
    const ids = new Map();
    const count = (event, key) => (of(ids.get(String(event.scheduledEventId)))[key] += 1);
    for (const event of history.events) {
      const scheduled = event.activityTaskScheduledEventAttributes;
      if (scheduled) {
        ids.set(String(event.eventId), scheduled.activityId);
        of(scheduled.activityId).scheduled++;
      }
      if (event.activityTaskCompletedEventAttributes) count(event.activityTaskCompletedEventAttributes, 'completed');
      for (const name of ['TimedOut', 'Failed', 'Canceled'])
        if (event[`activityTask${name}EventAttributes`]) count(event[`activityTask${name}EventAttributes`], 'lost');
      const failed = event.workflowTaskFailedEventAttributes;
      if (failed?.cause === REFUSED) premature++;
      else if (failed && failed.cause !== CLOSED_MEANWHILE) {
        tasksFailed++;
        problems.push(`${name}: a task failed: ${failed.failure?.message ?? failed.cause}`);
      }
    }
  }
  return { steps: new Map([...seen].filter(([id]) => id.startsWith('steps/'))), tasksFailed, premature };
}
/** UNHANDLED_COMMAND: something came while the last task was under way; the server asks for another. */
const CLOSED_MEANWHILE = 1;
/** BAD_SCHEDULE_ACTIVITY_ATTRIBUTES: src/workflows/premature-activation.ts had the server refuse a task. */
const REFUSED = 2;

/** Every step ends once, and is tried again only where an attempt was lost. */
export function judgeSteps(steps, count, problems) {
  let again = 0;
  for (let step = 0; step < count; step++) {
    const id = `steps/s${step}`;
    const { scheduled, completed, lost } = steps.get(id) ?? { scheduled: 0, completed: 0, lost: 0 };
    again += scheduled - 1;
    if (completed !== 1) problems.push(`${id} ended ${completed} times`);
    if (scheduled !== completed + lost)
      problems.push(`${id} was started ${scheduled} times, and ${lost} attempts were lost`);
  }
  return again;
}

/** By what the steps wrote down themselves: none begins before those that it needs have ended. */
export function judgeOrder(folder, skeleton, problems) {
  const ended = new Set();
  const begun = new Map();
  for (const line of readFileSync(join(folder, 'steps.log'), 'utf8').split('\n').slice(0, -1)) {
    const [what, id] = line.split(' ');
    if (what === 'ends') {
      ended.add(id);
      continue;
    }
    begun.set(id, (begun.get(id) ?? 0) + 1);
    const { needs } = skeleton.steps[Number(id.slice('steps/s'.length))];
    const early = needs.map((on) => skeleton.steps[on].id).filter((on) => !ended.has(on));
    if (early.length > 0) problems.push(`${id} began before ${early.join(', ')} had ended`);
  }
  return [...begun.values()].reduce((sum, times) => sum + times - 1, 0);
}

export async function replay(folder, histories, problems) {
  const workflowBundle = { codePath: join(folder, 'workflows.bundle.js') };
  for (const { id, name, history } of histories)
    await Worker.runReplayHistory({ workflowBundle, dataConverter }, history, id).catch((error) =>
      problems.push(`${name} does not replay: ${error.message}`),
    );
}

/** A worker that keeps nothing reads the whole history from the server to answer a query. */
export async function replayUncached(ground, histories, problems) {
  const connection = await NativeConnection.connect({ address: ground.address });
  const client = new Client({ connection: await ground.connect(), dataConverter });
  const worker = await Worker.create({
    ...{ connection, taskQueue: 'control', maxCachedWorkflows: 0, dataConverter },
    workflowBundle: { codePath: join(ground.folder, 'workflows.bundle.js') },
  });
  await worker.runUntil(async () => {
    for (const { id, runId, name } of histories)
      await asked(() => client.workflow.getHandle(id, runId).query('__temporal_workflow_metadata')).catch((error) =>
        problems.push(`${name} does not replay with nothing cached: ${error.cause?.message ?? error.message}`),
      );
  });
  await client.connection.close();
  await connection.close();
}

/** The server gives a query ten seconds; a busy machine may need more for thousands of events. */
async function asked(question, times = 10) {
  return question().catch((error) =>
    times > 1 && error.cause?.code === DEADLINE ? asked(question, times - 1) : Promise.reject(error),
  );
}
const DEADLINE = 4;
