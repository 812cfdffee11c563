import { resolve } from 'node:path';
import type { Past, PlanSignatures } from '../../activities/plan/ports.js';
import type { Store } from '../../activities/ports.js';
import type { Given } from '../../model/plan.js';
import { keysFolder } from '../home-keys/folder.js';
import { makeHomeKeys } from '../home-keys/make.js';
import { openHomeKeys } from '../home-keys/open.js';
import { makePrivate } from '../private-home.js';
import { submit, type Submitted } from './index.js';
import { createPlanSignatures } from './plan-signatures.js';
import { repositoriesOf } from './allowed-file.js';
import { allowRoot } from './roots.js';

export interface Here {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly store: Store;
  readonly past: Past;
}

/** Plans a release file for the user at this terminal, signs the plan, and allows the file's folder and
 * its repositories from now on. */
export async function submitHere(file: string, profile: string, here: Here, given?: Given): Promise<Submitted> {
  const { env, home, store, past } = here;
  makePrivate(home);
  // A home with another home's store needs that home's keys.
  if (!env['SLIPWAY_STORE'] && !env['SLIPWAY_KEYS']) makeHomeKeys(keysFolder(env, home));
  const submitted = await submit(file, profile, { store, signatures: controlSignatures(here), past }, given);
  allowRoot(home, resolve(file));
  for (const { parts } of await repositoriesOf(resolve(file)))
    for (const part of parts) allowRoot(home, part, 'repositories');
  return submitted;
}

export const controlSignatures = ({ env, home, store }: Here): PlanSignatures =>
  createPlanSignatures(store, openHomeKeys(keysFolder(env, home), ['control']));
