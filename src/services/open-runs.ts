import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../model/failure.js';
import { codeDigest } from './build-digest.js';
import { runsDiverge, runsNotReplayed } from './errors.js';
import { writeAtomically } from './files.js';
import { run } from './run.js';

const LIMIT_MS = 10 * 60_000;

export interface OpenRuns {
  readonly home: string;
  readonly packageRoot: string;
  /** Of Temporal. */
  readonly address: string;
}

/** Refuses code that open runs do not follow: Temporal would try their next task again and again, for ever. Asked before that code
 * carries out anything; code that passed once is not asked again. */
export async function assertOpenRunsReplay({ home, packageRoot, address }: OpenRuns): Promise<void> {
  const main = join(packageRoot, 'dist', 'workers', 'replay-main.js');
  const passed = join(home, 'workflows-passed');
  const code = codeDigest(['workflows', 'engine', 'model'].map((room) => join(packageRoot, 'dist', room)));
  if (textOf(passed) === code || !existsSync(main)) return;
  const env = { ...process.env, SLIPWAY_HOME: home, TEMPORAL_ADDRESS: address };
  const { code: exit, stdout, stderr } = await run(process.execPath, [main], LIMIT_MS, env);
  if (exit !== 0) throw fail(runsNotReplayed(stderr.trim().split('\n').at(-1) ?? ''));
  const diverged = JSON.parse(stdout) as readonly { readonly workflowId: string; readonly why: string }[];
  if (diverged.length > 0) throw fail(runsDiverge(diverged));
  writeAtomically(passed, code);
}

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
