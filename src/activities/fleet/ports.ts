import type { Queue } from '../../model/ids.js';

/** Who is there to carry steps out. */
export interface Muster {
  /** Those of the queues that a living worker serves now. */
  served(queues: readonly Queue[]): Promise<ReadonlySet<Queue>>;
}
