import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { digestOf, type Digest } from '../../model/digest.js';
import type { Plan } from '../../model/plan.js';
import type { PlanOrder, ScheduledGiven } from '../../model/schedule.js';
import { sha256 } from '../sha256.js';
import { controlSignatures, submitHere, type Here } from './submit-here.js';

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
