import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../adapters/home.js';
import { NODE_FLAGS } from './catalog/worker.js';

/** In a process of its own, which has this terminal: it is a worker for one step and one person. */
export function reproduce(request: object): Promise<number> {
  const main = join(packageRoot(), 'dist', 'workers', 'reproduce-main.js');
  const child = spawn(process.execPath, [...NODE_FLAGS, main], {
    env: { ...process.env, SLIPWAY_REPRODUCE: JSON.stringify(request) },
    stdio: 'inherit',
  });
  const ignore = (): void => undefined; // Ctrl-C is for who sits there
  process.on('SIGINT', ignore);
  return new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  }).finally(() => process.off('SIGINT', ignore));
}
