import { resolve } from 'node:path';
import type { Store } from '../../activities/ports.js';
import type { Given } from '../../model/plan.js';
import { keysFolder } from '../home-keys/folder.js';
import { makeHomeKeys } from '../home-keys/make.js';
import { openHomeKeys } from '../home-keys/open.js';
import { makePrivate } from '../private-home.js';
import { submit, type ReadStandings, type Submitted } from './index.js';
import { createPlanSignatures } from './plan-signatures.js';
import { allowRoot } from './roots.js';

interface Here {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly store: Store;
  readonly standings: ReadStandings;
}

/** Plans a release file for the user at this terminal, signs the plan, and allows the file's folder from now on. */
export async function submitHere(
  file: string,
  profile: string,
  { env, home, store, standings }: Here,
  given?: Given,
): Promise<Submitted> {
  makePrivate(home);
  const keys = keysFolder(env, home);
  // A home with another home's store needs that home's keys.
  if (!env['SLIPWAY_STORE'] && !env['SLIPWAY_KEYS']) makeHomeKeys(keys);
  const signatures = createPlanSignatures(store, openHomeKeys(keys, ['control']));
  const submitted = await submit(file, profile, { store, signatures, standings }, given);
  allowRoot(home, resolve(file));
  return submitted;
}
