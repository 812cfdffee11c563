import { join } from 'node:path';
import type { WorkerOptions } from '@temporalio/worker';

/** Ten thousand signals that came while no worker was there are one turn of the run's code. The SDK's own limit of 5 s would end
 * it each time anew, for ever. The option is the SDK's, though not among those that its types name. */
const LONGEST_TURN = { isolateExecutionTimeout: '60s' };

/** How every worker carries out workflows; the bench's too. */
export const WORKFLOW_OPTIONS = {
  stickyQueueScheduleToStartTimeout: '200ms',
  ...LONGEST_TURN,
} as const satisfies Partial<WorkerOptions>;

const FOLDER = join(__dirname, '..', 'workflows');

/** Sources of the workflow bundle. */
export const WORKFLOW_SOURCES = {
  workflowsPath: join(FOLDER, 'index.js'),
  workflowInterceptorModules: [join(FOLDER, 'premature-activation.js')],
};
