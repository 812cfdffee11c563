import type { Artifact, ArtifactKind } from '../model/artifact.js';
import type { Digest } from '../model/digest.js';
import type { Finding } from '../model/finding.js';
import type { Openings } from '../model/gate.js';
import type { RunId, StepId } from '../model/ids.js';
import type { JsonObject } from '../model/json.js';
import type { Access, Isolation } from '../model/isolation.js';
import type { KindName } from '../model/kinds.js';
import type { Plan, StepOf } from '../model/plan.js';
import type { Result } from '../model/result.js';
import type { Exit, Layout, LogWriter, Store } from './ports.js';
import type { BuildPaths } from './step/build-paths.js';
import type { Confine } from './step/confine.js';

/** All that one attempt of a step may read and do. Made by `step/work.ts`; an activity's body gets nothing else but its ports. */
export interface Work<K extends KindName = KindName> {
  readonly plan: Plan;
  readonly step: StepOf<K>;
  readonly run: RunId;
  readonly attempt: number;
  /** Round of the run in which the step last began anew; absent in the first. */
  readonly round?: number;
  /** Digest of the manifest that this run sealed, from the run's history; null before the seal. */
  readonly sealed: Digest | null;
  /** Nonces of the gates that opened, from the run's history. */
  readonly openings: Openings;
  /** Results of `needs` and succeeded `wants`, in the order of the step's edges. */
  readonly inputs: readonly Result[];
  /** Result of a pinned toolchain's `proveQueue` step, where the step has one. */
  readonly toolchain: Toolchain | null;
  /** An earlier result with the same step key; for `probe` kinds, which look at the world before they believe it. */
  readonly known: Result | null;
  /** An empty folder of this attempt's own, removed afterwards. */
  readonly folder: string;
  /** The bundle files that the step names, unpacked: what `{files}` stands for. */
  readonly files: string;
  /** How programs see these folders: a build sees them at the same place on every machine. All else here has their own names. */
  readonly paths: BuildPaths;
  /** The sandbox of the step's programs, for bodies that start them by themselves. */
  readonly confine: Confine;
  /** Notes how a program was confined that an engine ran. */
  reached(level: Isolation, network: boolean): void;
  readonly log: LogWriter;
  readonly signal: AbortSignal;
  readonly store: Store;
  /** The release's own part of the layout; `layoutFolder(plan)` is where this source's products stand. */
  readonly layout: Layout;

  /** Artifacts of the inputs, by kind and labels. */
  artifacts(kind: ArtifactKind, labels?: Readonly<Record<string, string>>): readonly Artifact[];
  /** Copies an artifact's bytes to `folder/artifact.name` (or `as`), verified; answers the path. */
  fetch(artifact: Artifact, folder: string, as?: string): Promise<string>;
  /** Puts a file into the store as an artifact. */
  keep(path: string, kind: ArtifactKind, labels?: Readonly<Record<string, string>>, name?: string): Promise<Artifact>;
  /** A scrubbed environment: PATH with our tools first, a HOME of the attempt's own, LANG, TZ, CA certificates, SOURCE_DATE_EPOCH, shared caches. */
  env(extra?: Readonly<Record<string, string>>): Record<string, string>;
  /** Runs a program in the workspace with output to the log. A non-zero exit is answered, not thrown; a time-out and an abort are thrown. */
  exec(argv: readonly string[] | string, options?: ExecOptions): Promise<Exit>;
  /** The same, but throws COMMAND_FAILED (class product) with the last lines when the exit is not 0. */
  must(argv: readonly string[] | string, options?: ExecOptions): Promise<void>;
  /** The same as must, and answers stdout (at most 1 MiB) instead of logging it. */
  capture(argv: readonly string[] | string, options?: ExecOptions): Promise<string>;
  /** Saves a value create-once for all attempts of this step in this run, of whatever round, and answers the one that stands: remote ids, before polling. */
  remember<T>(key: string, value: T): Promise<T>;
  recall<T>(key: string): Promise<T | null>;
  /** Makes a part of the step, or takes what an earlier run made of it: the same bytes may be judged again without being built
   * again. The step's kind is `pure`. */
  part(part: Part, make: () => Promise<Made>): Promise<Result & { readonly reused: boolean }>;
  /** Does what changes the world outside: a crash drill kills right before it and right after it. */
  effect<T>(act: () => Promise<T>): Promise<T>;
  /** Address of a `service:NAME`, or the address itself. */
  address(address: string): string;
  /** Value behind `$NAME`, `file:` or `command:`, looked up now, or the text itself; throws SECRET_MISSING. Every log, note,
   * fact and failure of the attempt hides it; of a `name`, a user's, only what is as long as a token. */
  secret(reference: string, as?: 'name'): Promise<string>;
}

/** A part of a step that is found again by itself. */
export interface Part {
  readonly name: string;
  /** Raise when what the part makes changes: every older one is then unknown. */
  readonly epoch: number;
  /** Parameters of the step that the part does not read. */
  readonly ignores: readonly string[];
  /** False: it is made anew, and takes the place of what was known. */
  believe(known: Result): Promise<boolean>;
}

export interface ExecOptions {
  readonly cwd?: string;
  /** The whole environment; default `work.env()`. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Purpose of the program. Default: `project`. */
  readonly access?: Access;
  /** Further folders of the machine that the program may write: the address of a target. */
  readonly folders?: readonly string[];
  /** The program is ours: it sees what the worker sees. */
  readonly unconfined?: true;
}

export interface Toolchain {
  readonly digest: string;
  /** Version by tool: `{ uv: '0.13.8', gcc: '12.2.0' }`. */
  readonly tools: Readonly<Record<string, string>>;
  /** Absolute interpreter by tag on the worker that proved it: look up again with `python(tag)`, never put into a result. */
  readonly pythons: Readonly<Record<string, string>>;
}

/** What a body answers; `perform.ts` turns it into the step's result. */
export interface Made {
  readonly artifacts: readonly Artifact[];
  readonly facts?: JsonObject;
  readonly findings?: readonly Finding[];
  readonly note: string;
  /** True where the world already held it: reported as `cached`. */
  readonly reused?: boolean;
}

/** The code of one kind: look, then act, then prove it. */
export type Body<K extends KindName> = (work: Work<K>) => Promise<Made>;
/** One per kind; workers register those whose queue they serve. */
export type Bodies = { readonly [K in KindName]?: Body<K> };

export type { Finding, StepId };
