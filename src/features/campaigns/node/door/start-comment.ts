import * as temporal from '@temporalio/client';
import { CONTROL } from '../../../../model/ids.js';
import { type CommentInput, commentIdOf, pollIdOf } from '../../pure/comments/messages.js';
import type { Hooks } from '../../schemas/hooks.js';

const LIMIT_MS = 8_000;

/** Starts the workflow of a comment. Does nothing if it was started before, and did not fail. */
export const startComment =
  (client: temporal.Client) =>
  async (input: CommentInput): Promise<void> => {
    const once = { workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY', workflowIdConflictPolicy: 'FAIL' } as const;
    const how = { taskQueue: CONTROL, workflowId: commentIdOf(input), args: [input], ...once };
    const start = () => client.workflow.start('comment', how).then(() => undefined);
    await client
      .withDeadline(Date.now() + LIMIT_MS, start)
      .catch(unless(temporal.WorkflowExecutionAlreadyStartedError));
  };

/** Makes the schedule of the poll, or gives it a new interval, or deletes it. It keeps what the last poll has seen. */
export async function keepPoll({ schedule }: temporal.Client, repository: string, every: Hooks['poll']): Promise<void> {
  const scheduleId = pollIdOf(repository);
  const handle = schedule.getHandle(scheduleId);
  if (every === 'off') return handle.delete().catch(unless(temporal.ScheduleNotFoundError));
  const said: Pick<temporal.ScheduleOptions, 'spec' | 'policies' | 'action'> = {
    spec: { intervals: [{ every }] },
    policies: { overlap: 'SKIP', catchupWindow: every },
    action: { type: 'startWorkflow', workflowType: 'comments', workflowId: scheduleId, taskQueue: CONTROL, args: [] },
  };
  await schedule.create({ scheduleId, ...said }).catch(unless(temporal.ScheduleAlreadyRunning));
  await handle.update(({ state }) => ({ ...said, state }));
}

const unless =
  (known: new (...args: never[]) => Error) =>
  (error: unknown): void => {
    if (!(error instanceof known)) throw error;
  };
