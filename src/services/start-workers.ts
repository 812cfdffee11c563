import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { metricsSetting } from '../adapters/temporal/metrics-address.js';
import { CONTROL, WORKFLOWS } from '../model/ids.js';
import { buildEnv } from './catalog/build-env.js';
import { NODE_FLAGS, workerMain, workflowNode } from './catalog/worker.js';
import { workflowsDigest } from './build-digest.js';
import { runsDiverge } from './errors.js';
import { replayOpenRuns } from './open-runs.js';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export interface StartWorkers {
  readonly queues: readonly string[];
  /** Replaces the host's name. */
  readonly name?: string;
  /** Deployment of the workflow worker. Null: none. */
  readonly deployment: string | null;
  readonly packageRoot: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Starts one worker process for each queue in the foreground. Returns the worst exit status. Workers of projects'
 * code get no credentials. Signals are forwarded; if this process is killed, its IPC channel closes and ends the
 * workers. Throws OPEN_RUNS_DIVERGE or METRICS_ADDRESS_INVALID before any worker starts. */
export async function startWorkers({ queues, name, deployment, packageRoot, env }: StartWorkers): Promise<number> {
  // Workers of other hosts may have run other code since the last start, so this asks each time. Open runs come to a new
  // build of a deployment by `slipway worker deployments current`, which asks then; a build that starts again has its own.
  if (queues.includes(WORKFLOWS)) {
    const refused = await askRole(packageRoot, env);
    if (refused !== 0) return refused;
    const build = deployment === null ? '' : `${deployment}:${workflowsDigest(join(packageRoot, 'dist'))}`;
    await replayOpenRuns(packageRoot, env, runsDiverge, build);
  }
  const more = name === undefined ? {} : { SLIPWAY_WORKER_NAME: name };
  const pages = queues.map((_, place) => metricsSetting(env, place));
  const children = queues.map((queue, place) => {
    const ofWorkflows = queue === WORKFLOWS;
    const { flags, env: own } = ofWorkflows ? workflowNode(packageRoot) : { flags: NODE_FLAGS, env: {} };
    const role = ofWorkflows
      ? ['--workflows', ...(deployment === null ? [] : ['--deployment', deployment])]
      : ['--queue', queue];
    return spawn(process.execPath, [...flags, workerMain(packageRoot), ...role], {
      env: { ...(queue === CONTROL || ofWorkflows ? env : buildEnv(env)), ...own, ...more, ...pages[place] },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
  });
  const handOn = (signal: NodeJS.Signals): void => children.forEach((child) => child.kill(signal));
  for (const signal of SIGNALS) process.on(signal, handOn);
  try {
    return Math.max(...(await Promise.all(children.map(exitOf))));
  } finally {
    for (const signal of SIGNALS) process.off(signal, handOn);
  }
}

/** Asks before the replay, which a role that may not serve workflows may not do either. The program itself tells why it refuses. */
const askRole = (packageRoot: string, env: NodeJS.ProcessEnv): Promise<number> =>
  exitOf(spawn(process.execPath, [join(packageRoot, 'dist/workers/role-main.js')], { env, stdio: 'inherit' }));

const exitOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (code) => resolve(code ?? 1));
  });
