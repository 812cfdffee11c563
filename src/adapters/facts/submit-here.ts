import { realpath, stat } from 'node:fs/promises';
import { resolve, join } from 'node:path';
import type { Past, PlanSignatures } from '../../activities/plan/ports.js';
import type { Store } from '../../activities/ports.js';
import { digestOf, type Digest } from '../../model/digest.js';
import type { Given, Plan } from '../../model/plan.js';
import type { PlanOrder, ScheduledGiven } from '../../model/schedule.js';
import { makeHomeKeys } from '../home-keys/make.js';
import { openHomeKeys, keysFolder } from '../home-keys/open.js';
import { makePrivate } from '../private-home.js';
import { sha256 } from '../sha256.js';
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

/** Names what a schedule plans. The text cannot be that of a plan. */
export const orderDigest = ({ file, profile, given = {} }: PlanOrder): Digest =>
  digestOf({ order: { file, profile, given } }, sha256);

/** Plans a release file once, as `submitHere` does, and signs what a schedule plans at each start. */
export async function orderHere(
  file: string,
  profile: string,
  here: Here,
  given: ScheduledGiven,
): Promise<{ readonly plan: Plan; readonly order: PlanOrder }> {
  const { plan } = await submitHere(file, profile, here, given);
  const order: PlanOrder = {
    ...{ file: await realFile(resolve(file)), profile },
    ...(Object.keys(given).length > 0 && { given }),
  };
  if (order.given !== undefined) await controlSignatures(here).sign(orderDigest(order));
  return { plan, order };
}

async function realFile(path: string): Promise<string> {
  const real = await realpath(path);
  return (await stat(real)).isDirectory() ? join(real, 'slipway.yaml') : real;
}
