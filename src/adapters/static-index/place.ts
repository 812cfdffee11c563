import type { CheckedPlace } from '../../activities/index/ports.js';

/** A place with what an upload needs. */
export interface Place extends CheckedPlace {
  /** For messages: the folder, or `s3://bucket/prefix`. */
  readonly name: string;
  /** Creates a file once from a local one. Returns false if the path is taken. */
  createFile(path: string, from: string): Promise<boolean>;
  /** Removes incomplete files of writers that ended long ago. */
  sweep(): Promise<void>;
}
