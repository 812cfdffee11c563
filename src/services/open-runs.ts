import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverEnv } from '../adapters/temporal/server-env.js';
import { fail } from '../model/failure.js';
import type { Context } from './catalog/context.js';
import { workflowsDigest } from './build-digest.js';
import { runsDiverge, runsNotReplayed } from './errors.js';
import { writeAtomically } from './files.js';
import { run } from './run.js';

const LIMIT_MS = 10 * 60_000;

/** Throws OPEN_RUNS_DIVERGE if open runs cannot replay with this code: Temporal would retry their next task for
 * ever. Runs before the code does, and only once for each digest of the code. */
export async function assertOpenRunsReplay({
  home,
  packageRoot,
}: Pick<Context, 'home' | 'packageRoot'>): Promise<void> {
  const passed = join(home, 'workflows-passed');
  const code = workflowsDigest(join(packageRoot, 'dist'));
  if (textOf(passed) === code || !existsSync(mainOf(packageRoot))) return;
  await replayOpenRuns(packageRoot, serverEnv(home));
  writeAtomically(passed, code);
}

/** Replays the open runs of the server that the environment names. Throws `diverge` or OPEN_RUNS_NOT_READ.
 * @param build DEPLOYMENT:BUILD: those of this build alone. Empty: those that no build keeps */
export async function replayOpenRuns(
  packageRoot: string,
  env: NodeJS.ProcessEnv,
  diverge: typeof runsDiverge = runsDiverge,
  build = '',
): Promise<void> {
  const { code, stdout, stderr } = await run(process.execPath, [mainOf(packageRoot), build], LIMIT_MS, env);
  if (code !== 0) throw fail(runsNotReplayed(stderr.trim().split('\n').at(-1) ?? ''));
  const diverged = JSON.parse(stdout) as readonly { readonly workflowId: string; readonly why: string }[];
  if (diverged.length > 0) throw fail(diverge(diverged));
}

const mainOf = (packageRoot: string): string => join(packageRoot, 'dist', 'workers', 'replay-main.js');

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
