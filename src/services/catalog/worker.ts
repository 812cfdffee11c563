import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { metricsSetting } from '../../adapters/temporal/metrics-address.js';
import { withoutServer } from '../../adapters/temporal/server-env.js';
import { readJson } from '../files.js';
import { logFile, readyFile } from '../folders.js';
import { assertOpenRunsReplay } from '../open-runs.js';
import { CONTROL } from '../../model/ids.js';
import { plain, type Service } from '../service.js';
import { buildEnv } from './build-env.js';
import type { Context } from './context.js';

/** Services that our own programs wait for. The supervisor writes their addresses once all of these answer. */
export const BEFORE_WORKERS = ['temporal', 'docker', 'devpi', 'web', 'registry', 'staging', 's3'];

/** Service of one worker process. Each role has its own process, so that a failure affects no other.
 * @param which `workflows` or the name of a queue @param place among the workers of this home, from 0
 * @param docker address of the engine */
export function worker(context: Context, which: string, place: number, docker: string): Service {
  const ready = readyFile(context.home, which);
  const { flags, env: own } =
    which === 'workflows' ? workflowNode(context.packageRoot) : { flags: NODE_FLAGS, env: {} };
  const role = [...(which === 'workflows' ? ['--workflows'] : ['--queue', which]), '--kept'];
  return {
    ...plain,
    name: workerName(which),
    after: BEFORE_WORKERS,
    runsOurCode: true,
    prepare: async () => {
      mkdirSync(dirname(ready), { recursive: true });
      rmSync(ready, { force: true });
      if (which === 'workflows') await assertOpenRunsReplay(context);
    },
    launch: () => ({
      argv: [process.execPath, ...flags, workerMain(context.packageRoot), ...role],
      cwd: context.packageRoot,
      ...(builds(which) && { scrubbed: true }),
      env: {
        ...(builds(which) ? buildEnv(context.env) : {}),
        // A supervised worker serves this home. It reads the address and the certificates from there.
        ...withoutServer(context.env),
        ...own,
        ...metricsSetting(context.env, place),
        SLIPWAY_HOME: context.home,
        DOCKER_HOST: docker,
      },
    }),
    answers: async (pid) => readJson<{ pid: number }>(ready)?.pid === pid,
    state: (pid) => ({ pid, address: which, log: logFile(context.home, workerName(which)) }),
  };
}

/** True for workers that run projects' code. */
const builds = (which: string): boolean => which !== CONTROL && which !== 'workflows';

export const workerName = (which: string): string => `worker-${which}`;
export const workerMain = (packageRoot: string): string => join(packageRoot, 'dist', 'workers', 'main.js');

/** A small semi-space saves about 50 MB when a step prints a gigabyte. */
export const NODE_FLAGS = ['--enable-source-maps', '--max-semi-space-size=2'];

/** Node options of the workflow process, also for the bench. The heap grows by half between collections instead of
 * fourfold. malloc uses two arenas instead of eight per core. 10,000 steps take 245 MB instead of 410, and 1 % more
 * CPU. */
export const workflowNode = (packageRoot: string) =>
  ({
    flags: [...NODE_FLAGS, '--heap-growing-percent=50', `--require=${withoutCallStacks(packageRoot)}`],
    env: { MALLOC_ARENA_MAX: '2' },
  }) as const;

const withoutCallStacks = (packageRoot: string): string =>
  join(packageRoot, 'dist', 'workers', 'without-call-stacks.js');

export function queuesHere(): readonly string[] {
  const system = { linux: 'linux', darwin: 'macos' }[process.platform as string];
  const machine = { x64: 'x86_64', arm64: system === 'macos' ? 'arm64' : 'aarch64' }[process.arch as string];
  return [CONTROL, ...(system && machine ? [`${system}-${machine}`] : [])];
}
