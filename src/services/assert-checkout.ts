import { existsSync } from 'node:fs';
import { packageRoot } from '../adapters/home.js';
import { fail } from '../model/failure.js';
import { workerMain } from './catalog/worker.js';
import { needsCheckout } from './errors.js';

/** Throws NEEDS_CHECKOUT in the package that others install: it has no workers and no services. */
export function assertCheckout(command: string, root: string = packageRoot()): void {
  if (!existsSync(workerMain(root))) throw fail(needsCheckout(command, root));
}
