import type { Bind } from '../model/build-root.js';
import type { Digest } from '../model/digest.js';
import type { RunId } from '../model/ids.js';
import type { Json } from '../model/json.js';

/** Content-addressed bytes and named records. Both are written once and never replaced. Altered content is moved to
 * `quarantine/`, so that the right bytes can be written again. */
export interface Store {
  /** Stores a stream; equal bytes are stored once. Returns digest and size. */
  put(bytes: AsyncIterable<Uint8Array>): Promise<Stored>;
  putFile(path: string): Promise<Stored>;
  /** Verifies bytes while they are read. The stream fails with STORE_ALTERED if they do not match the digest, and they
   * are moved to quarantine. */
  get(digest: Digest): Promise<AsyncIterable<Uint8Array>>;
  /** Copies verified bytes to a new file at `path`; creates its folders. */
  fetch(digest: Digest, path: string): Promise<void>;
  has(digest: Digest): Promise<boolean>;
  /** True if the bytes are present and unaltered, as far as the store can check cheaply. Altered bytes are moved to
   * quarantine. */
  sound(digest: Digest): Promise<boolean>;
  /** Creates a record, or returns the existing one. `created` says which. */
  create<T extends Json | object>(name: string, value: T): Promise<{ readonly created: boolean; readonly value: T }>;
  read<T>(name: string): Promise<T | null>;
  /** Links records under second names if those are free; durable when it resolves. Returns the record under each name,
   * or null if linking is impossible. Absent if the store never can. */
  again?<T>(names: readonly { readonly of: string; readonly as: string }[]): Promise<readonly (T | null)[]>;
  /** Names of records under a prefix that ends in `/`, sorted. */
  list(prefix: string): Promise<readonly string[]>;
  /** Moves a record to `quarantine/` if it still equals `seen`, or without `seen` if reading it fails. Only for records
   * that can be recomputed, never for a ledger. */
  setAside(name: string, seen?: object): Promise<void>;
}
export interface Stored {
  readonly digest: Digest;
  readonly size: number;
}

/** Files under readable names, for people and scripts: `{branch}/{commit}/{file}`. A name never gets other bytes.
 * `{branch}/latest/{file}` follows the branch's pointer. */
export interface Layout {
  /** Puts an object of the store under a path if it is free. Returns what the path holds: another digest than the given
   * one means that the path was taken. */
  place(path: string, digest: Digest): Promise<Stored>;
  /** Returns what a path holds, or null. */
  find(path: string): Promise<Stored | null>;
  /** Paths under a prefix that ends in `/`, sorted. */
  list(prefix: string): Promise<readonly string[]>;
  /** Moves the branch's pointer by the rules of `Pointers.move`. Returns its value afterwards. */
  moveLatest(branch: string, to: Latest, wins: (now: Latest) => boolean): Promise<Latest>;
}
/** Target of `{branch}/latest`. */
export interface Latest {
  readonly commit: string;
  /** Time of the commit, ISO 8601. */
  readonly at: string;
  readonly version: string;
  readonly run: RunId;
}

/** Mutable names such as `latest`. A rule decides, not time: of concurrent moves the preferred value stays. */
export interface Pointers {
  read<T>(name: string): Promise<T | null>;
  /** Sets the value if there is none or if `wins(now)` is true. After a concurrent change it asks `wins` again. */
  move<T extends Json | object>(
    name: string,
    value: T,
    wins: (now: T) => boolean,
  ): Promise<{ readonly moved: boolean; readonly value: T }>;
}

/** Output of one attempt; it reaches the store in numbered chunks while it is written. */
export interface LogWriter {
  write(text: string): void;
  /** Writes a line of Slipway: `slipway: ` and the text, marked so that no program can forge it. `tail` leaves it out.
   */
  note(text: string): void;
  /** Returns a promise while a fast writer must wait for the store. Return it from `onOutput`. */
  ready?(): Promise<void> | undefined;
  /** Last lines of output, oldest first, for failures and `status`: 20 unless told. */
  tail(lines?: number): readonly string[];
  close(): Promise<void>;
}
export interface LogPiece {
  readonly text: string;
  /** Start and end of Slipway's own lines in the text, in order. */
  readonly own: readonly (readonly [number, number])[];
}
export interface LogReader {
  /** Yields the chunks so far, in order. With `follow` it continues until the attempt ends; an abort ends it after the
   * chunks that exist. */
  pieces(prefix: string, options: { follow: boolean; signal?: AbortSignal }): AsyncIterable<LogPiece>;
}

export interface Command {
  /** Program and arguments, or a shell line for `sh -eu -c`. */
  readonly argv: readonly string[] | string;
  readonly cwd: string;
  /** The whole environment: nothing is inherited. `Work.env()` makes one. */
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds; then SIGTERM, a grace period, SIGKILL for the process group, and `timedOut`. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** Receives each piece of stdout and stderr. The program waits for a returned promise, which bounds memory. */
  readonly onOutput: (text: string, stream: 'stdout' | 'stderr') => void | Promise<void>;
  readonly stdin?: string;
  /** Sandbox of the program; `cwd` is below one of its folders. Without it the program sees what the worker sees. */
  readonly cell?: Cell;
}
/** The view of a program in a sandbox, in addition to the toolchain. */
export interface Cell {
  readonly folders: readonly Shown[];
  /** Folder that is mounted as /tmp. */
  readonly tmp: string;
  readonly network: boolean;
}
/** A folder of this machine and its path inside the sandbox; writable by default. */
export interface Shown extends Bind {
  readonly readOnly?: true;
  /** Overlay: writes go into this folder, reads see both. At most one in a sandbox. */
  readonly layer?: string;
}
export interface Exit {
  /** Exit status, or 128 + n after signal n. */
  readonly code: number;
  readonly timedOut: boolean;
}

/** Runs programs that end with the worker: a small runner kills each process group when its pipe closes. */
export interface Programs {
  /** Reason why this machine cannot run sandboxes; null if it can. Absent if sandboxes are not supported here. */
  readonly noSandbox?: string | null;
  run(command: Command): Promise<Exit>;
}
