import { join } from 'node:path';
import type { WorkerOptions } from '@temporalio/worker';
import { WORKFLOW_TASK_LIMIT } from '../model/messages.js';

/** The SDK's types omit this option. */
const TASK_LIMIT = { isolateExecutionTimeout: WORKFLOW_TASK_LIMIT };

export const WORKFLOW_OPTIONS = {
  stickyQueueScheduleToStartTimeout: '200ms',
  ...TASK_LIMIT,
} as const satisfies Partial<WorkerOptions>;

const FOLDER = join(__dirname, '..', 'workflows');

export const WORKFLOW_SOURCES = {
  workflowsPath: join(FOLDER, 'index.js'),
  workflowInterceptorModules: [join(FOLDER, 'premature-activation.js')],
};
