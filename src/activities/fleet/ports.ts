import type { Queue } from '../../model/ids.js';
import type { Slots } from '../../model/worker.js';

export interface WorkerLister {
  /** Returns the queues that have a living worker, and the slots of those workers. */
  look(queues: readonly Queue[]): Promise<{ readonly served: ReadonlySet<Queue>; readonly slots: Slots }>;
}
