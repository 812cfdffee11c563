import { type Client, ScheduleAlreadyRunning, ScheduleNotFoundError } from '@temporalio/client';
import { CONTROL } from '../../../../model/ids.js';
import type { Hooks } from '../../schemas/hooks.js';
import { pollIdOf } from '../../pure/comments/messages.js';

/** Makes the schedule of the poll, or gives it a new interval, or deletes it. It keeps what the last poll has seen. */
export async function keepPoll({ schedule }: Client, { repository, poll }: Hooks): Promise<void> {
  const scheduleId = pollIdOf(repository);
  if (poll === 'off') {
    await schedule.getHandle(scheduleId).delete().catch(unlessAbsent);
    return;
  }
  const said = {
    spec: { intervals: [{ every: poll }] },
    action: {
      ...{
        type: 'startWorkflow' as const,
        workflowType: 'comments',
        workflowId: scheduleId,
        taskQueue: CONTROL,
        args: [],
      },
      staticSummary: `comments of ${repository}`,
    },
    policies: { overlap: 'SKIP' as const, catchupWindow: poll },
  };
  try {
    await schedule.create({ scheduleId, ...said });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await schedule.getHandle(scheduleId).update(({ state }) => ({ ...said, state }));
  }
}

const unlessAbsent = (error: unknown): void => {
  if (!(error instanceof ScheduleNotFoundError)) throw error;
};
