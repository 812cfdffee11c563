import type { RestorePlace } from '../../activities/index/ports.js';

/** A place with what an upload needs. */
export interface Place extends RestorePlace {
  /** For messages: the folder, or `s3://bucket/prefix`. */
  readonly name: string;
  /** Removes incomplete files of writers that ended long ago. */
  sweep(): Promise<void>;
}
