import type { Past, Planner, PlanSignatures } from '../../activities/plan/ports.js';
import type { Store } from '../../activities/ports.js';
import type { Digest } from '../../model/digest.js';
import { fail, type Problem } from '../../model/failure.js';
import { canonical } from '../../model/json.js';
import type { Plan } from '../../model/plan.js';
import { type DoneBefore, records } from '../../model/run-folder.js';
import { allowedFile } from './allowed-file.js';
import { readDurations } from './durations.js';
import { orderDigest } from './submit-here.js';
import { readSpan } from './bisect-span.js';
import { problems } from './errors.js';
import type { RootKind } from './roots.js';
import { once, skeleton, submit } from './index.js';

/** Plans on this host, into this store.
 * @param roots folders from which a workflow's input may name release files, and these repositories */
export const createPlanner = (
  store: Store,
  signatures: PlanSignatures,
  roots: (kind: RootKind) => readonly string[],
  past?: Past,
): Planner => ({
  submit: async (file, profile, given) =>
    submit(await allowedFile(file, roots), profile, { ...{ store, signatures }, ...(past && { past }) }, given),
  isOrdered: (order) => signatures.isSigned(orderDigest(order)),
  span: async (file, ends) => readSpan(await allowedFile(file, roots), ends),
  doneBefore: async (pipeline, same) =>
    (await store.read<DoneBefore>(records.doneBefore(pipeline, same)))?.workflowId ?? null,
  keep: async (plan) => {
    const { digest } = await store.put(once(canonical(plan)));
    await signatures.sign(digest);
    return digest;
  },
  load: async (digest) => {
    const plan = await loadPlan(digest, store);
    if (!(await signatures.isSigned(digest))) throw fail(problems.planNotSigned(digest));
    return plan;
  },
  skeleton,
  durations: (release) => readDurations(store, release),
});

const MOST_BYTES = 128 * 2 ** 20;

/** Reads a plan from the store, which verifies its digest. Throws PLAN_ABSENT or PLAN_NOT_A_PLAN. */
export async function loadPlan(digest: Digest, store: Store): Promise<Plan> {
  if (!(await store.has(digest))) throw fail(problems.planAbsent(digest));
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of await store.get(digest)) {
    chunks.push(chunk);
    if ((bytes += chunk.length) > MOST_BYTES) throw fail(problems.notAPlan(digest, 'it has more than 128 MiB'));
  }
  return parsedPlan(Buffer.concat(chunks).toString('utf8'), (why) => problems.notAPlan(digest, why));
}

/** Parses a plan. Throws `refused` of a text that is no JSON. */
export function parsedPlan(text: string, refused: (why: string) => Problem): Plan {
  try {
    return JSON.parse(text) as Plan;
  } catch (error) {
    throw fail(refused((error as Error).message), error);
  }
}
