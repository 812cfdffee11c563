import type { NativeConnection } from '@temporalio/worker';
import type { Fleet } from '../activities/plan/ports.js';

/** TASK_QUEUE_TYPE_ACTIVITY of temporal.api.enums.v1. */
const ACTIVITY = 2;

/** Temporal keeps who polled a queue for five minutes: a worker that is being started again still counts. */
export const createFleet = (connection: NativeConnection, namespace: string): Fleet => ({
  async serves(queue) {
    const { pollers } = await connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: queue },
      taskQueueType: ACTIVITY,
    });
    return (pollers ?? []).length > 0;
  },
});
