import { join } from 'node:path';
import type { WorkerOptions } from '@temporalio/worker';

/** A workflow task with 10,000 signals takes longer than the SDK's default limit of 5 s, which would repeat it for
 * ever. The SDK's types omit this option. */
const LONGEST_TURN = { isolateExecutionTimeout: '60s' };

export const WORKFLOW_OPTIONS = {
  stickyQueueScheduleToStartTimeout: '200ms',
  ...LONGEST_TURN,
} as const satisfies Partial<WorkerOptions>;

const FOLDER = join(__dirname, '..', 'workflows');

export const WORKFLOW_SOURCES = {
  workflowsPath: join(FOLDER, 'index.js'),
  workflowInterceptorModules: [join(FOLDER, 'premature-activation.js')],
};
