import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/adapters/home.js';
import { lastAsked } from '../../src/client/beats.js';
import type { Queue } from '../../src/model/ids.js';
import { failWaits, until } from './until.js';

const TOLD_CHARACTERS = 4000;

/** Starts a worker of dist/ as a process of its own. Its output goes to `workers.log` in its home. A worker that gives up fails the
 * waits of the suite, which would otherwise wait for its steps until the watchdog ends them. */
export function startWorkerProcess(role: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const path = join(env['SLIPWAY_HOME']!, 'workers.log');
  const log = openSync(path, 'a');
  const main = join(packageRoot(), 'dist', 'workers', 'main.js');
  const child = spawn(process.execPath, [main, ...role], { env, stdio: ['ignore', log, log] });
  closeSync(log);
  child.once('exit', (code) => {
    if (code === null || code === 0) return;
    const told = readFileSync(path, 'utf8').slice(-TOLD_CHARACTERS);
    failWaits(new Error(`the worker ${role.join(' ')} ended with status ${code}:\n${told}`));
  });
  return child;
}

/** Waits until a worker polls each queue. A run that is planned earlier ends with QUEUE_UNSERVED, and its test waits in vain. */
export async function untilServed(
  { workflowService }: { readonly workflowService: Parameters<typeof lastAsked>[0] },
  ...queues: readonly Queue[]
): Promise<void> {
  await Promise.all(queues.map((queue) => until(async () => (await lastAsked(workflowService, 'default', queue)) > 0)));
}
