import type { Digest } from '../../model/digest.js';
import type { Plan, Skeleton } from '../../model/plan.js';

/** How a plan is made on the worker's host. */
export interface Planner {
  /** Plans a release file and puts plan, bundle and source into the store. */
  submit(file: string, profile: string): Promise<{ readonly plan: Plan; readonly digest: Digest }>;
  /** A plan that is in the store. */
  load(digest: Digest): Promise<Plan>;
  skeleton(plan: Plan, digest: Digest): Promise<Skeleton>;
}
