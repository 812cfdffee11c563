import type { Queue } from '../../model/ids.js';
import type { SeenWorker } from './judge-workers.js';

/** The container engine that steps of a queue talk to. */
export interface Engine {
  /** Why it does not answer, or null where it does. */
  silence(): Promise<string | null>;
}

/** Workers that take steps of a queue now. */
export type Workers = (queue: Queue) => Promise<readonly SeenWorker[]>;
