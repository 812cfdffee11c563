import type { Queue } from '../../model/ids.js';
import type { Slots } from '../../model/worker.js';

/** Lists the living workers. */
export interface WorkerLister {
  /** Returns the queues that have a living worker now, and the slots of their workers. */
  look(queues: readonly Queue[]): Promise<{ readonly served: ReadonlySet<Queue>; readonly slots: Slots }>;
}
