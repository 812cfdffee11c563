import type { Digest } from '../model/digest.js';
import { fail } from '../model/failure.js';
import type { RunStatus } from '../model/messages.js';
import type { Plan } from '../model/plan.js';
import { planNotStored } from './errors.js';
import { readText } from '../activities/read-text.js';
import type { Ports } from './ports.js';
import type { JsonObject } from '../model/json.js';

export { readText };

/** Reads a plan. Null if this store lacks it. */
export async function storedPlan(digest: Digest, ports: Pick<Ports, 'store'>): Promise<Plan | null> {
  const store = await ports.store();
  return (await store.has(digest)) ? (JSON.parse(await readText(store, digest)) as Plan) : null;
}

/** Reads the plan of a run. Throws PLAN_NOT_STORED. */
export async function planOf({ plan, workflowId }: RunStatus, ports: Pick<Ports, 'store'>): Promise<Plan> {
  const found = plan === null ? null : await storedPlan(plan, ports);
  if (found === null) throw fail(planNotStored(workflowId));
  return found;
}

/** Reads the record of the settings of a plan. Null: the plan has none, or this store lacks it. */
export async function storedSettings({ settings }: Plan, ports: Pick<Ports, 'store'>): Promise<JsonObject | null> {
  const store = await ports.store();
  if (settings === undefined || !(await store.has(settings))) return null;
  return JSON.parse(await readText(store, settings)) as JsonObject;
}
