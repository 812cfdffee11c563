import * as temporal from '@temporalio/client';
import { isRefused } from '../../../../client/ask.js';
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

/** Makes the schedule of the poll, or gives it a new interval, or deletes it. It keeps what the last poll has seen. Returns false if the
 * server refuses: a certificate of the role `door` keeps no schedules. */
export const keepPoll = (client: temporal.Client, repository: string, every: Hooks['poll']): Promise<boolean> =>
  kept(client, pollIdOf(repository), every).then(
    () => true,
    (error: unknown) => (isRefused(error) ? false : Promise.reject(error)),
  );

async function kept({ schedule }: temporal.Client, scheduleId: string, every: Hooks['poll']): Promise<void> {
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
