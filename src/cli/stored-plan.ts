import type { Digest } from '../model/digest.js';
import { fail } from '../model/failure.js';
import type { RunStatus } from '../model/messages.js';
import type { Plan } from '../model/plan.js';
import { planNotStored } from './errors.js';
import { readText } from '../activities/read-text.js';
import type { Ports } from './ports.js';

export { readText };

type Stored = Pick<Ports, 'store'>;

/** Reads a document. Null: no digest is given, or this store lacks it. */
export async function storedJson<T>(digest: Digest | null | undefined, ports: Stored): Promise<T | null> {
  if (digest == null) return null;
  const store = await ports.store();
  return (await store.has(digest)) ? (JSON.parse(await readText(store, digest)) as T) : null;
}

export const storedPlan = storedJson<Plan>;

/** Reads the plan of a run. Throws PLAN_NOT_STORED. */
export async function planOf({ plan, workflowId }: RunStatus, ports: Stored): Promise<Plan> {
  const found = await storedPlan(plan, ports);
  if (found === null) throw fail(planNotStored(workflowId));
  return found;
}
