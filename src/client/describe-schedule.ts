import { WorkflowNotFoundError, type ScheduleDescription } from '@temporalio/client';
import type { ReleaseInput } from '../model/messages.js';
import { everyText } from '../model/rhythm.js';
import { isScheduledGiven, scheduleIdOf, type Schedule, type ScheduledRun } from '../model/schedule.js';
import type { ClientContext } from './client-context.js';
import { latest } from './history-chain.js';
import { closedVerdict, isOpen } from './status.js';

/** Throws ScheduleNotFoundError. */
export async function describeSchedule(context: ClientContext, pipeline: string): Promise<Schedule> {
  const found = await context.client.schedule.getHandle(scheduleIdOf(pipeline)).describe();
  const { file = null, profile = null, given, by = null } = inputOf(found);
  const { info, state } = found;
  const actions = info.recentActions.toReversed();
  return {
    ...{ pipeline, file, profile, by },
    given: isScheduledGiven(given) ? given : {},
    rhythm: rhythmOf(found.spec),
    paused: state.paused,
    note: state.note || null,
    next: state.paused ? [] : info.nextActionTimes.map((time) => time.getTime()),
    last: await Promise.all(
      actions.map(async ({ takenAt, action: { workflow } }): Promise<ScheduledRun> => {
        const { workflowId, firstExecutionRunId: run } = workflow;
        return { workflowId, run, at: takenAt.getTime(), verdict: await verdictOf(context, workflowId, run) };
      }),
    ),
    started: info.numActionsTaken,
    skipped: info.numActionsSkippedOverlap,
    missed: info.numActionsMissedCatchupWindow,
  };
}

/** Returns the input that a schedule gives its runs. Empty if another program wrote something else. */
export function inputOf({ action }: Pick<ScheduleDescription, 'action'>): ReleaseInput {
  const [input] = (action.args ?? []) as readonly unknown[];
  return typeof input === 'object' && input !== null ? input : {};
}

function rhythmOf({ intervals = [], calendars = [] }: ScheduleDescription['spec']): string {
  const [interval, calendar] = [intervals[0], calendars[0]];
  if (interval !== undefined && intervals.length === 1 && calendars.length === 0)
    return `every ${everyText(interval.every)}`;
  return calendar?.comment && intervals.length === 0 ? `cron ${calendar.comment}` : 'other';
}

async function verdictOf(context: ClientContext, workflowId: string, run: string): Promise<ScheduledRun['verdict']> {
  try {
    const { description } = await latest(context, workflowId, run);
    return isOpen(description.status.name) ? 'running' : closedVerdict(description);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'unknown';
    throw error;
  }
}
