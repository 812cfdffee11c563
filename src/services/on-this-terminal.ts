import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../adapters/home.js';
import { DRILL_ASKED } from '../model/drill.js';
import { fail } from '../model/failure.js';
import type { LostWheel, Remade } from '../model/remade.js';
import { NODE_FLAGS } from './catalog/worker.js';
import { assertCheckout } from './assert-checkout.js';
import { drillAbsent, remakingDied } from './errors.js';

/** Runs a step in a process of its own on this terminal. Returns its exit code. Throws NEEDS_CHECKOUT. */
export async function reproduce(request: object): Promise<number> {
  assertCheckout('reproduce');
  return run(built('workers', 'reproduce-main.js'), { SLIPWAY_REPRODUCE: JSON.stringify(request) });
}

/** Runs tools/drill in a process of its own on this terminal. Returns its exit code. Throws DRILL_ABSENT. */
export async function drill(asked: object): Promise<number> {
  const main = built('drill', 'main.js');
  if (!existsSync(main)) throw fail(drillAbsent(main));
  return run(main, { [DRILL_ASKED]: JSON.stringify(asked) });
}

/** Builds wheels again in a process of its own. Answers in their order. Throws NEEDS_CHECKOUT or REMAKING_DIED. */
export async function remake(lost: readonly LostWheel[]): Promise<readonly Remade[]> {
  assertCheckout('cache rebuild');
  const main = built('workers', 'remake-main.js');
  const child = spawn(process.execPath, [...NODE_FLAGS, main], { stdio: ['pipe', 'pipe', 'inherit'] });
  let told = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (told += text));
  child.stdin.on('error', () => undefined); // a child that dies early is told by its exit code
  child.stdin.end(JSON.stringify(lost));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw fail(remakingDied(code));
  return JSON.parse(told) as readonly Remade[];
}

const built = (...path: readonly string[]): string => join(packageRoot(), 'dist', ...path);

function run(main: string, asked: Readonly<Record<string, string>>): Promise<number> {
  const child = spawn(process.execPath, [...NODE_FLAGS, main], { env: { ...process.env, ...asked }, stdio: 'inherit' });
  const ignore = (): void => undefined; // Ctrl-C is meant for the child
  process.on('SIGINT', ignore);
  return new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  }).finally(() => process.off('SIGINT', ignore));
}
