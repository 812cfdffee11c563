import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Returns the checkout or installed package that contains this file. */
export function packageRoot(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

/** State of this machine's Slipway: store, services, logs, caches. `SLIPWAY_HOME` overrides it. */
export const home = (env: NodeJS.ProcessEnv = process.env): string =>
  env['SLIPWAY_HOME'] ? resolve(env['SLIPWAY_HOME']) : join(packageRoot(), '.slipway');

/** Folder below the home with the static indexes of `service:wheels`. */
export const WHEELS_FOLDER = 'wheels';

/** Certificates of Temporal's door, secrets of its page, and the configuration of both. */
export const doorFolder = (home: string): string => join(home, 'door');
/** File for TEMPORAL_CONFIG_FILE. */
export const configFile = (home: string): string => join(doorFolder(home), 'temporal.toml');

/** Programs from the hash-pinned requirements file: uv, auditwheel, twine, temporal, devpi-server … */
export const toolsBin = (): string => join(packageRoot(), '.tools', 'bin');
