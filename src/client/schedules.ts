import { ScheduleAlreadyRunning, ScheduleNotFoundError, type ScheduleHandle } from '@temporalio/client';
import { NEWEST_ENGINE } from '../model/engines.js';
import { fail, SlipwayFailure } from '../model/failure.js';
import { CONTROL, PIPELINE_WORKFLOW } from '../model/ids.js';
import { WORKFLOW_TASK_LIMIT, type ReleaseInput } from '../model/messages.js';
import { everyText, type Rhythm } from '../model/rhythm.js';
import { scheduleIdOf, type Schedule, type ScheduleRequest } from '../model/schedule.js';
import { ask } from './ask.js';
import type { ClientContext } from './client-context.js';
import { describeSchedule, inputOf } from './describe-schedule.js';
import { scheduleOfOtherFile, scheduleUnknown } from './errors.js';
import type { Schedules } from './index.js';
import { readsAll } from './reads-all.js';

const DAY_MS = 86_400_000;

export function schedulesOf(context: ClientContext): Schedules {
  const act = (verb: string, pipeline: string, then: (handle: ScheduleHandle) => Promise<void>): Promise<void> =>
    asked(context, `${verb} the schedule of ${pipeline}`, pipeline, async () => {
      const found = await known(then(context.client.schedule.getHandle(scheduleIdOf(pipeline))).then(() => true));
      if (found === null) throw fail(scheduleUnknown(pipeline));
    });
  return {
    put: (request) => asked(context, `schedule ${request.pipeline}`, request.pipeline, () => put(context, request)),
    find: (pipeline) =>
      asked(context, `describe the schedule of ${pipeline}`, pipeline, () =>
        known(describeSchedule(context, pipeline)),
      ),
    list: () => asked(context, 'list schedules', '', () => list(context)),
    pause: (pipeline, note) => act('pause', pipeline, (handle) => handle.pause(note)),
    resume: (pipeline, note) => act('resume', pipeline, (handle) => handle.unpause(note)),
    delete: (pipeline) => act('delete', pipeline, (handle) => handle.delete()),
  };
}

const asked = <T>(context: ClientContext, what: string, pipeline: string, request: () => Promise<T>): Promise<T> =>
  ask(context, what, { workflowId: scheduleIdOf(pipeline) }, request);

/** Null if the server has no such schedule. */
const known = <T>(request: Promise<T>): Promise<T | null> =>
  request.catch((error: unknown) => {
    if (error instanceof ScheduleNotFoundError) return null;
    throw error;
  });

async function put({ client }: ClientContext, request: ScheduleRequest): Promise<{ readonly created: boolean }> {
  const scheduleId = scheduleIdOf(request.pipeline);
  const said = { spec: specOf(request.rhythm), action: actionOf(request), policies: policiesOf(request.rhythm) };
  try {
    await client.schedule.create({ scheduleId, ...said });
    return { created: true };
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
  const handle = client.schedule.getHandle(scheduleId);
  const { file = null } = inputOf(await handle.describe());
  if (file !== request.file) throw fail(scheduleOfOtherFile(request.pipeline, file, request.file));
  await handle.update(({ state }) => ({ ...said, state }));
  return { created: false };
}

/** The comment of a cron line keeps it readable: the server stores calendars. */
const specOf = (rhythm: Rhythm) =>
  'cron' in rhythm
    ? { cronExpressions: [`${rhythm.cron} # ${rhythm.cron}`] }
    : { intervals: [{ every: rhythm.everyMs }] };

function actionOf({ pipeline, rhythm, by, ...order }: ScheduleRequest) {
  const when = 'cron' in rhythm ? rhythm.cron : `every ${everyText(rhythm.everyMs)}`;
  // A scheduled run has no user beside it. A held one would stop every later start.
  const input: ReleaseInput = { engine: NEWEST_ENGINE, ...order, onFailure: 'fail', ...(by !== undefined && { by }) };
  return {
    type: 'startWorkflow' as const,
    workflowType: PIPELINE_WORKFLOW,
    workflowId: scheduleIdOf(pipeline),
    taskQueue: CONTROL,
    args: [input],
    workflowTaskTimeout: WORKFLOW_TASK_LIMIT,
    staticSummary: `${pipeline}, by schedule: ${when}`,
  };
}

/** After an outage of the server, one missed start is made up for: the last of an interval, or one of the last day. */
const policiesOf = (rhythm: Rhythm) => ({
  overlap: 'SKIP' as const,
  catchupWindow: 'cron' in rhythm ? DAY_MS : Math.min(rhythm.everyMs, DAY_MS),
});

async function list(context: ClientContext): Promise<readonly Schedule[]> {
  const pipelines: string[] = [];
  for await (const { scheduleId } of readsAll(context, () => undefined).schedule.list())
    if (scheduleId.startsWith(scheduleIdOf(''))) pipelines.push(scheduleId.slice(scheduleIdOf('').length));
  return readable(await Promise.allSettled(pipelines.sort().map((one) => known(describeSchedule(context, one)))));
}

/** Returns the schedules that could be read. Throws if none could, and what is no fault of a schedule. */
export function readable(found: readonly PromiseSettledResult<Schedule | null>[]): readonly Schedule[] {
  const read = found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const reasons = found.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []));
  // Another program can make a schedule that cannot be read.
  const outage = reasons.find((reason) => !(reason instanceof SlipwayFailure)) ?? (read.length === 0 && reasons[0]);
  if (outage) throw outage;
  return read.filter((one) => one !== null);
}
