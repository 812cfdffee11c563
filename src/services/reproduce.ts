import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../adapters/home.js';
import { NODE_FLAGS } from './catalog/worker.js';

/** Runs a step in a process of its own on this terminal. */
export function reproduce(request: object): Promise<number> {
  const main = join(packageRoot(), 'dist', 'workers', 'reproduce-main.js');
  const child = spawn(process.execPath, [...NODE_FLAGS, main], {
    env: { ...process.env, SLIPWAY_REPRODUCE: JSON.stringify(request) },
    stdio: 'inherit',
  });
  const ignore = (): void => undefined; // Ctrl-C is meant for the child
  process.on('SIGINT', ignore);
  return new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  }).finally(() => process.off('SIGINT', ignore));
}
