import type { Digest } from '../../model/digest.js';
import type { ListAnswer, ListRequest, PruneRequest } from '../../model/index-writer.js';
import type { Target } from '../../model/target.js';
import type { Archives } from '../source/ports.js';

/** Lists wheels whose entries exist, and resolves when pages show them. */
export interface IndexWriter {
  /** @param address of the index: one writer serves one address */
  list(address: string, request: ListRequest): Promise<ListAnswer>;
}

/** Carries out an order to prune, and resolves when no page shows the removed wheels. */
export interface IndexPruner {
  prune(address: string, request: PruneRequest): Promise<ListAnswer>;
}

/** Needed by publish steps of static indexes. */
export interface ListingPorts {
  readonly archives: Pick<Archives, 'unpack'>;
  readonly writer: IndexWriter;
}

/** The folder or bucket of a static index. Paths are relative to the target's address. */
export interface IndexPlace {
  /** Paths of all files below a folder, sorted. Empty if there is none. */
  list(folder: string): Promise<readonly string[]>;
  /** Null if there is no such file.
   * @param mostBytes a longer file has an empty text. Default: `MOST_PAGE_BYTES` */
  read(path: string, mostBytes?: number): Promise<Seen | null>;
  /** Creates a file once. Returns false if the path is taken. */
  create(path: string, text: string): Promise<boolean>;
  /** Replaces a file as a whole: a reader sees the old or the new text.
   * @param seen what `read` returned; null if it found nothing
   * @returns false if another writer was first, as far as the place can tell */
  swap(path: string, text: string, seen: Seen | null): Promise<boolean>;
  /** Does nothing if there is no such file. */
  remove(path: string): Promise<void>;
}

/** An index that a profile names. */
export interface NamedIndex {
  readonly target: Target;
  /** Whether the profile is that of a rehearsal. */
  readonly rehearsal: boolean;
}

/** Opens an index outside of a step. Throws if a policy does not allow its address. */
export type IndexOpener<P extends IndexPlace = IndexPlace> = (index: NamedIndex) => Promise<P>;

/** A place with what a check needs besides. */
export interface CheckedPlace extends IndexPlace {
  /** Digest of the bytes. Null if there is no such file. */
  digest(path: string): Promise<Digest | null>;
  /** Copies a file out of the index. Returns the digest of the copy; null if there is no such file. */
  copy(path: string, to: string): Promise<Digest | null>;
  /** Paths of all links and special files, sorted: a web server may follow them out of the index. */
  links(): Promise<readonly string[]>;
}

/** A place that wheels can be put back to. */
export interface RestorePlace extends CheckedPlace {
  /** Creates a file once from a local one. Returns false if the path is taken. */
  createFile(path: string, from: string): Promise<boolean>;
}

export interface Seen {
  readonly text: string;
  /** Tag of the version that was read. Empty where the place has none. */
  readonly tag: string;
}
