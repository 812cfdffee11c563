import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { dataConverter } from './ground.mjs';

const require = createRequire(import.meta.url);
const { Client } = require('@temporalio/client');
const { NativeConnection, Worker } = require('@temporalio/worker');

const OPEN = 1;
const NOT_FOUND = 5;

/** The histories of a run: its root's, then that of each generation. */
export async function historiesOf(ground, workflowId) {
  const { runId } = await ground.ask((client) => client.workflow.getHandle(workflowId).describe());
  const all = [];
  for (let number = 0; ; number++) {
    const id = number === 0 ? workflowId : `${workflowId}/${runId.slice(0, 8)}/g${number}`;
    const told = await ground.ask((client) =>
      one(client, id).catch((error) => (error.code === NOT_FOUND ? null : Promise.reject(error))),
    );
    if (told === null) return all;
    all.push({ id, ...told });
  }
}

async function one(client, id) {
  const handle = client.workflow.getHandle(id);
  const history = await handle.fetchHistory();
  const { status } = await handle.describe();
  return { history, status: status.name };
}

/** What became of each step, by the server's own word. */
export function countSteps(histories, problems) {
  const seen = new Map();
  const of = (id) => seen.get(id) ?? (seen.set(id, { scheduled: 0, completed: 0, lost: 0 }), seen.get(id));
  let tasksFailed = 0;
  let premature = 0;
  for (const { id, history, status } of histories) {
    if (status !== 'COMPLETED') problems.push(`${id} is ${status}`);
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
        problems.push(`${id}: a task failed: ${failed.failure?.message ?? failed.cause}`);
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
  for (const { id, history } of histories)
    await Worker.runReplayHistory({ workflowBundle, dataConverter }, history, id).catch((error) =>
      problems.push(`${id} does not replay: ${error.message}`),
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
    for (const { id } of histories)
      await asked(() => client.workflow.getHandle(id).query('__temporal_workflow_metadata')).catch((error) =>
        problems.push(`${id} does not replay with nothing cached: ${error.cause?.message ?? error.message}`),
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

export const isOpen = ({ status }) => status.code === OPEN;
