import type { Queue } from '../../model/ids.js';
import type { SeenWorker } from './judge-workers.js';

export interface Engine {
  /** Returns why the engine does not answer. Null if it does. */
  silence(): Promise<string | null>;
}

export type Workers = (queue: Queue) => Promise<readonly SeenWorker[]>;
