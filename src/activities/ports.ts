import type { Bind } from '../model/build-root.js';
import type { Digest } from '../model/digest.js';
import type { RunId } from '../model/ids.js';
import type { Json } from '../model/json.js';

/** Bytes by digest and records by name. Everything is written once; nothing is ever replaced. What somebody altered
 * afterwards is set aside in `quarantine/`, so that the right bytes can be written again. */
export interface Store {
  /** Streams bytes in; the same bytes twice are one object. Answers digest and size. */
  put(bytes: AsyncIterable<Uint8Array>): Promise<Stored>;
  putFile(path: string): Promise<Stored>;
  /** Verified while it is read: the stream fails with STORE_ALTERED when the bytes are not the digest's, and they are set aside. */
  get(digest: Digest): Promise<AsyncIterable<Uint8Array>>;
  /** Copies to a new file at `path`, verified, folders made. */
  fetch(digest: Digest, path: string): Promise<void>;
  has(digest: Digest): Promise<boolean>;
  /** Whether the very bytes are there: compared, as far as the store can do that cheaply. Altered ones are set aside. */
  sound(digest: Digest): Promise<boolean>;
  /** Creates a record, or answers the one that was there first. `created` tells which. */
  create<T extends Json | object>(name: string, value: T): Promise<{ readonly created: boolean; readonly value: T }>;
  read<T>(name: string): Promise<T | null>;
  /** Gives records second names, each where nothing stands under it, without writing them again; all of them last when it resolves.
   * Answers what stands under each afterwards, null where that cannot be done. Absent: it never can. */
  again?<T>(names: readonly { readonly of: string; readonly as: string }[]): Promise<readonly (T | null)[]>;
  /** Names of records under a prefix that ends in `/`, sorted. */
  list(prefix: string): Promise<readonly string[]>;
  /** Moves a record to `quarantine/` that is not to be believed, if it still is what was seen (absent: RECORD_DAMAGED). Only
   * for what can be found out again: never for what says that something went out. */
  setAside(name: string, seen?: object): Promise<void>;
}
export interface Stored {
  readonly digest: Digest;
  readonly size: number;
}

/** Real bytes under real names, for people and their scripts: `{branch}/{commit}/{file}`. What stands under a name stays.
 * `{branch}/latest/{file}` is read through the branch's pointer. */
export interface Layout {
  /** Puts an object of the store under a path. Answers what the path holds afterwards: another digest than the one that was
   * asked for says that other bytes were there first, and were left alone. */
  place(path: string, digest: Digest): Promise<Stored>;
  /** What a path holds; null where nothing is there. */
  find(path: string): Promise<Stored | null>;
  /** Paths under a prefix that ends in `/`, sorted. */
  list(prefix: string): Promise<readonly string[]>;
  /** Moves the branch's pointer as `Pointers.move` does; answers where it leads afterwards. */
  moveLatest(branch: string, to: Latest, wins: (now: Latest) => boolean): Promise<Latest>;
}
/** Where `{branch}/latest` leads. */
export interface Latest {
  readonly commit: string;
  /** Time of the commit, ISO 8601. */
  readonly at: string;
  readonly version: string;
  readonly run: RunId;
}

/** Names that move: `latest`. By rule, not by time: of many that move one at once, the value that the rule prefers stays. */
export interface Pointers {
  read<T>(name: string): Promise<T | null>;
  /** Sets it where nothing is there, or where `wins` says that ours goes before what is; asked anew when another was first. */
  move<T extends Json | object>(
    name: string,
    value: T,
    wins: (now: T) => boolean,
  ): Promise<{ readonly moved: boolean; readonly value: T }>;
}

/** Output of one attempt, reaching the store in numbered chunks while it is written. */
export interface LogWriter {
  /** Output of a program, as it is. */
  write(text: string): void;
  /** A line of ours, marked so that no program can forge it: `slipway: ` and the text. It is no output: `tail` leaves it out. */
  note(text: string): void;
  /** A promise while a fast writer should wait for the store: answer it from `onOutput`. */
  ready?(): Promise<void> | undefined;
  /** Last lines written, oldest first, for failures and `status`. */
  tail(lines: number): readonly string[];
  close(): Promise<void>;
}
/** A piece of a log. */
export interface LogPiece {
  readonly text: string;
  /** Begin and end of our own lines in the text, in order. */
  readonly own: readonly (readonly [number, number])[];
}
export interface LogReader {
  /** The bytes of `pieces`. */
  read(prefix: string, options: { follow: boolean; signal?: AbortSignal }): AsyncIterable<string>;
  /** Chunks so far, in order; `follow` goes on until the attempt is closed, or `signal` aborts and what is there was read. */
  pieces(prefix: string, options: { follow: boolean; signal?: AbortSignal }): AsyncIterable<LogPiece>;
}

export interface Command {
  /** Program and arguments, or a shell line run by `sh -eu -c`. */
  readonly argv: readonly string[] | string;
  readonly cwd: string;
  /** The whole environment: nothing is inherited. `Work.env()` makes a sound one. */
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds; then TERM, grace, KILL for the whole process group, and `timedOut`. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** Called with each piece of stdout and stderr as it comes; the program waits for an answered promise, so memory stays flat. */
  readonly onOutput: (text: string, stream: 'stdout' | 'stderr') => void | Promise<void>;
  readonly stdin?: string;
  /** The sandbox that the program runs in; `cwd` lies below one of its folders. Absent: it sees what the worker sees. */
  readonly cell?: Cell;
}
/** All that a program in a sandbox sees of this machine besides the toolchain. */
export interface Cell {
  readonly folders: readonly Shown[];
  /** The folder that it sees as /tmp. */
  readonly tmp: string;
  readonly network: boolean;
}
/** A folder of this machine, and the name under which the program sees it. It may write there. */
export interface Shown extends Bind {
  readonly readOnly?: true;
  /** The program's writes go into this folder; its reads see both. At most one of a cell. */
  readonly layer?: string;
}
export interface Exit {
  /** Exit status, 128 + n after signal n. */
  readonly code: number;
  readonly timedOut: boolean;
}

/** Runs programs so that nothing outlives us: a small runner ends each process group when our pipe to it closes. */
export interface Programs {
  /** Why no program can run in a sandbox on this machine. Null: all can. Absent: cells are not known here. */
  readonly noSandbox?: string | null;
  run(command: Command): Promise<Exit>;
}
