import type { Queue } from '../../model/ids.js';
import type { Slots } from '../../model/worker.js';

/** Who is there to carry steps out. */
export interface WorkerLister {
  /** Those of the queues that a living worker serves now, and how many steps their workers carry out at once. */
  look(queues: readonly Queue[]): Promise<{ readonly served: ReadonlySet<Queue>; readonly slots: Slots }>;
}
