import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fail } from '../model/failure.js';
import { homeNotNamed } from './temporal/errors.js';

/** Returns the checkout or installed package that contains this file. */
export function packageRoot(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** State of this machine's Slipway: store, services, logs, caches. `SLIPWAY_HOME` overrides it. Throws HOME_NOT_NAMED. */
export function home(env: NodeJS.ProcessEnv = process.env): string {
  const found = homeIfNamed(env);
  if (found === null) throw fail(homeNotNamed(packageRoot()));
  return found;
}

/** Returns the same. Null in the package that others install, which has no home of its own, without `SLIPWAY_HOME`. */
export function homeIfNamed(env: NodeJS.ProcessEnv = process.env): string | null {
  if (env['SLIPWAY_HOME']) return resolve(env['SLIPWAY_HOME']);
  return existsSync(join(packageRoot(), 'src')) ? join(packageRoot(), '.slipway') : null;
}

/** Folder below the home with the static indexes of `service:wheels`. */
export const WHEELS_FOLDER = 'wheels';

/** Certificates of Temporal's door, secrets of its page, and the configuration of both. */
export const doorFolder = (home: string): string => join(home, 'door');
/** File for TEMPORAL_CONFIG_FILE. */
export const configFile = (home: string): string => join(doorFolder(home), 'temporal.toml');

/** Programs from the hash-pinned requirements file: uv, auditwheel, twine, temporal, devpi-server … */
export const toolsBin = (): string => join(packageRoot(), '.tools', 'bin');
