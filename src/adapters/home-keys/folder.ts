import { basename, dirname, isAbsolute, join } from 'node:path';
import type { Role } from '../../model/proof.js';
import type { ServiceSecret } from '../../model/service-login.js';

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the folder of a home's keys. SLIPWAY_KEYS overrides it. If SLIPWAY_STORE is another home's store on this
 * machine, the keys are beside that store. */
export function keysFolder(env: Env, home: string): string {
  const store = env['SLIPWAY_STORE'];
  if (env['SLIPWAY_KEYS']) return env['SLIPWAY_KEYS'];
  if (store && isAbsolute(store) && basename(store) === 'store') return join(dirname(store), 'keys');
  return join(home, 'keys');
}

export const secretKeyFile = (folder: string, role: Role): string => join(folder, `${role}.key`);
export const secretAt = (folder: string, which: ServiceSecret): string => join(folder, `${which}.key`);
export const publicKeyFile = (folder: string): string => join(folder, 'control.pub');
