import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { WorkerOptions } from '@temporalio/worker';
import { WORKFLOW_TASK_LIMIT } from '../model/messages.js';
import { workflowsDigest } from '../services/build-digest.js';

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

const DIST = join(__dirname, '..');
const NAME = 'workflows-';

/** Options of a worker whose build id is the digest of its workflow code. A run stays with the build that took its first task;
 * entity workflows set their own behaviour. */
export const buildOptions = (deploymentName: string) =>
  ({
    workerDeploymentOptions: {
      useWorkerVersioning: true,
      version: { deploymentName, buildId: workflowsDigest(DIST) },
      defaultVersioningBehavior: 'PINNED',
    },
  }) as const satisfies Partial<WorkerOptions>;

/** Returns the workflow bundle of this build. A child process bundles once per build: bundling takes seconds, and three
 * times the memory that the worker needs later.
 * @param cache folder of bundles
 * @param failureConverterPath set if failures are encrypted; the bundle includes it */
export async function workflowCode(
  cache: string,
  failureConverterPath?: string,
): Promise<Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath' | 'interceptors'>> {
  const built = workflowsDigest(DIST);
  const codePath = join(cache, `${NAME}${built}${failureConverterPath === undefined ? '' : '-encrypted'}.js`);
  if (existsSync(codePath)) return { workflowBundle: { codePath } };
  try {
    mkdirSync(cache, { recursive: true });
    const more = failureConverterPath === undefined ? [] : [failureConverterPath];
    await promisify(execFile)(process.execPath, [join(__dirname, 'bundle-main.js'), codePath, ...more]);
    forgetOthers(cache, built);
    return { workflowBundle: { codePath } };
  } catch {
    const { workflowsPath, workflowInterceptorModules: workflowModules } = WORKFLOW_SOURCES;
    return { workflowsPath, interceptors: { workflowModules } }; // the cache is not writable, so the worker bundles itself
  }
}

function forgetOthers(cache: string, built: string): void {
  const others = readdirSync(cache).filter((file) => file.startsWith(NAME) && !file.startsWith(`${NAME}${built}`));
  for (const file of others) rmSync(join(cache, file), { force: true });
}
