import type { IndexPlace } from '../../activities/index/ports.js';
import type { Digest } from '../../model/digest.js';

/** A place with what an upload needs. */
export interface Place extends IndexPlace {
  /** For messages: the folder, or `s3://bucket/prefix`. */
  readonly name: string;
  /** Creates a file once from a local one. Returns false if the path is taken. */
  createFile(path: string, from: string): Promise<boolean>;
  /** Digest of the bytes. Null if there is no such file. */
  digest(path: string): Promise<Digest | null>;
  /** Removes incomplete files of writers that ended long ago. */
  sweep(): Promise<void>;
}
