import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { WorkerOptions } from '@temporalio/worker';
import { WORKFLOW_SOURCES } from './workflow-options.js';
import { codeDigest } from '../services/build-digest.js';

const DIST = join(__dirname, '..');
const NAME = 'workflows-';

/** The workflows of this build, in one file. They are bundled once for each build, by a process of its own: the bundler takes some
 * seconds, and three times the memory that the worker needs afterwards and would never give back.
 * @param cache folder for them
 * @param failureConverterPath where failures are encrypted: how they are written is part of a bundle */
export async function workflowCode(
  cache: string,
  failureConverterPath?: string,
): Promise<Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath' | 'interceptors'>> {
  const built = codeDigest(['model', 'engine', 'workflows'].map((folder) => join(DIST, folder)));
  const codePath = join(cache, `${NAME}${built}-${SDK}${failureConverterPath === undefined ? '' : '-encrypted'}.js`);
  if (existsSync(codePath)) return { workflowBundle: { codePath } };
  try {
    mkdirSync(cache, { recursive: true });
    const more = failureConverterPath === undefined ? [] : [failureConverterPath];
    await promisify(execFile)(process.execPath, [join(__dirname, 'bundle-main.js'), codePath, ...more]);
    forgetOthers(cache, built);
    return { workflowBundle: { codePath } };
  } catch {
    const { workflowsPath, workflowInterceptorModules: workflowModules } = WORKFLOW_SOURCES;
    return { workflowsPath, interceptors: { workflowModules } }; // no room, or no right to write there: bundled here
  }
}

const { version: SDK } = require('@temporalio/worker/package.json') as { readonly version: string };

function forgetOthers(cache: string, built: string): void {
  const others = readdirSync(cache).filter((file) => file.startsWith(NAME) && !file.startsWith(`${NAME}${built}`));
  for (const file of others) rmSync(join(cache, file), { force: true });
}
