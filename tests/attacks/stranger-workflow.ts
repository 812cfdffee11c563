import { proxyActivities } from '@temporalio/workflow';

/** A workflow of another program: it schedules any activity on any queue. */
export async function scheduleAny(taskQueue: string, type: string, input: unknown): Promise<unknown> {
  const activities = proxyActivities<Record<string, (input: unknown) => Promise<unknown>>>({
    taskQueue,
    startToCloseTimeout: '1m',
    retry: { maximumAttempts: 1 },
  });
  return activities[type]!(input);
}
