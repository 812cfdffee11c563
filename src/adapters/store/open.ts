import { isAbsolute, join } from 'node:path';
import { fail } from '../../model/failure.js';
import { ownServerNotUp, sdkAbsent } from '../s3-store/errors.js';
import { ownServer, type S3Settings, s3Settings } from '../s3-store/settings.js';
import { readChoice, readKey } from './choice.js';
import { createDirectoryStore } from './directory.js';
import { createLayout } from './layout.js';
import type { OpenStore } from './opened.js';
import { createPointers } from './pointers.js';

/** Opens the store of a home: SLIPWAY_STORE, else the choice of `slipway up --store`, else a folder. SLIPWAY_STORE is
 * `s3://…` or the folder of another home's store on this machine.
 * @param ownServerIsUp false: the home's own server is stopped, so requests are not retried */
export async function openStore(
  env: NodeJS.ProcessEnv,
  home: string,
  { ownServerIsUp = true } = {},
): Promise<OpenStore> {
  const folder = storeFolder(env, home);
  const settings = s3Of(env, home, ownServerIsUp);
  if (settings !== null) {
    // Lazy import: the SDK loads slowly, and a folder does not need it.
    const { createS3Store } = await import('../s3-store/index.js').catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'MODULE_NOT_FOUND' ? fail(sdkAbsent()) : error;
    });
    return createS3Store(settings, folder);
  }
  const store = createDirectoryStore(folder);
  const pointers = createPointers(store);
  return { ...store, pointers, waitsFor: () => null, layout: (release) => createLayout(folder, pointers, release) };
}

/** Folder of the store, or of what an S3 store has on this machine. */
export function storeFolder({ SLIPWAY_STORE: said }: NodeJS.ProcessEnv, home: string): string {
  return said && isAbsolute(said) ? said : join(home, 'store');
}

function s3Of(env: NodeJS.ProcessEnv, home: string, isUp: boolean): S3Settings | null {
  const address = env['SLIPWAY_STORE'];
  if (address && isAbsolute(address)) return null;
  if (address) return s3Settings(address, env);
  const choice = readChoice(home);
  if (choice.kind === 'directory') return null;
  const key = readKey(home);
  if (choice.endpoint === undefined || choice.socket === undefined || key === null) throw fail(ownServerNotUp());
  const own = { ...ownServer(choice.endpoint, key), socket: choice.socket };
  return isUp ? own : { ...own, patienceMs: 0 };
}
