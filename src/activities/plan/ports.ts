import type { Digest } from '../../model/digest.js';
import type { Queue } from '../../model/ids.js';
import type { Durations } from '../../model/durations.js';
import type { Plan, Skeleton } from '../../model/plan.js';
import type { Slots, UnservedQueue } from '../../model/worker.js';

/** Lists queues without a worker. */
export interface Fleet {
  /** Returns the queues that have no living worker now, and since when. */
  unserved(queues: readonly Queue[]): Promise<readonly UnservedQueue[]>;
  /** Slots of the living workers, of those queues of which they are known. */
  slots(queues: readonly Queue[]): Promise<Slots>;
}

/** Signatures of plans: workers carry out only what a planner of this home made. */
export interface PlanSignatures {
  /** Throws PLAN_NOT_SIGNABLE if this home lacks the private key. */
  sign(plan: Digest): Promise<void>;
  isSigned(plan: Digest): Promise<boolean>;
}

/** How a plan is made on the worker's host. */
export interface Planner {
  /** Plans a release file and puts plan, bundle and source into the store. Throws RELEASE_FILE_… for a file that this worker may not
   * carry out. */
  submit(file: string, profile: string): Promise<{ readonly plan: Plan; readonly digest: Digest }>;
  /** A plan that is in the store and signed. */
  load(digest: Digest): Promise<Plan>;
  /** Puts a plan into the store as it is, and signs it. */
  keep(plan: Plan): Promise<Digest>;
  skeleton(plan: Plan, digest: Digest): Promise<Skeleton>;
  /** Returns the durations that the last runs measured, of this release and of others. */
  durations(release: string): Promise<readonly Durations[]>;
}
