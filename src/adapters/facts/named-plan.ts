import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Store } from '../../activities/ports.js';
import { isDigest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import type { Plan } from '../../model/plan.js';
import { planFault } from '../../model/schema/plan.js';
import { problems } from './errors.js';
import type { Features } from '../../activities/plan/ports.js';
import { NO_PAST, plan } from './index.js';
import { loadPlan, parsedPlan } from './planner.js';
import { utf8 } from './release-text.js';

/** Returns a plan by its digest, from a file of `slipway plan --json`, or made now from a release file. */
export async function namedPlan(
  what: string,
  profile: string,
  store: () => Promise<Store>,
  features: Features,
): Promise<Plan> {
  if (isDigest(what)) return loadPlan(what, await store());
  return what.endsWith('.json') ? planFile(what) : plan(what, profile, {}, { ...NO_PAST, ...features });
}

async function planFile(file: string): Promise<Plan> {
  if (!existsSync(file)) throw fail(problems.noPlanFile(file));
  const read = parsedPlan(await utf8(resolve(file), file, Infinity), (why) => problems.notAPlanFile(file, why));
  const fault = planFault(read);
  if (fault !== null) throw fail(problems.notAPlanFile(file, fault));
  return read;
}
