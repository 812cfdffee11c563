import type { Queue } from '../../model/ids.js';
import type { SeenWorker } from './judge-workers.js';

/** The container engine that steps of a queue use. */
export interface Engine {
  /** Returns why the engine does not answer. Null if it does. */
  silence(): Promise<string | null>;
}

/** Workers that serve a queue now. */
export type Workers = (queue: Queue) => Promise<readonly SeenWorker[]>;
