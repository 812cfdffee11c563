import type { Pin } from '../engine/cache/step-key.js';
import type { Artifact, ArtifactKind } from '../model/artifact.js';
import type { Digest } from '../model/digest.js';
import type { Problem } from '../model/failure.js';
import type { Finding } from '../model/finding.js';
import type { Openings } from '../model/gate.js';
import type { RunId, StepId } from '../model/ids.js';
import type { JsonObject } from '../model/json.js';
import type { Access, Isolation } from '../model/isolation.js';
import type { KindName } from '../model/kinds.js';
import type { Plan, StepOf } from '../model/plan.js';
import type { Result } from '../model/result.js';
import type { Credential } from '../model/service-login.js';
import type { Exit, Layout, LogWriter, Store } from './ports.js';
import type { BuildPaths, Confine } from './step/confine.js';

/** Everything that one attempt of a step may read and do. `step/work.ts` makes it. An activity's body gets only this
 * and its ports. */
export interface Work<K extends KindName = KindName> {
  readonly plan: Plan;
  readonly step: StepOf<K>;
  readonly run: RunId;
  readonly attempt: number;
  /** Round in which the step last started again; absent in the first. */
  readonly round?: number;
  /** Digest of the run's sealed manifest, from Temporal's history. Null before the seal. */
  readonly sealed: Digest | null;
  /** Nonces of opened gates, from Temporal's history. */
  readonly openings: Openings;
  /** Results of `needs` and of succeeded `wants`, in the order of the step's edges. */
  readonly inputs: readonly Result[];
  /** The tools that it uses, from the result of a `proveQueue` step. Null if the step has none. */
  readonly toolchain: Toolchain | null;
  /** An earlier result with the same step key. Only for `probe` kinds, which verify it against the outside world. */
  readonly known: Result | null;
  /** An empty folder of this attempt; removed afterwards. */
  readonly folder: string;
  /** Folder of the step's bundle files; `{files}` is replaced by it. */
  readonly files: string;
  /** Paths of these folders for programs; a build sees the same paths on every machine. All other fields hold the
   * worker's own paths. */
  readonly paths: BuildPaths;
  /** Applies the sandbox of the step's programs, for bodies that start programs themselves. */
  readonly confine: Confine;
  /** Records the isolation of a program that an engine ran. */
  reached(level: Isolation, network: boolean): void;
  readonly log: LogWriter;
  readonly signal: AbortSignal;
  /** After an abort. True: this worker ends, and another takes the attempt over. False: the attempt is cancelled, or its time is over. */
  leaves(): boolean;
  /** Returns the first problem of an error as the run will report it: classified by exit status and output, and without
   * secrets. For records of failures that a body writes itself. */
  judged(error: unknown): Problem;
  /** Replaces secrets by their names in all texts of a value. For records that a body writes itself. */
  withoutSecrets(value: JsonObject): JsonObject;
  /** Tells people what the step waits for, with each heartbeat. Null: it goes on. */
  waits(because: string | null): void;
  /** Tells the same of a step that waits for its turn on this worker. The time limit of the step begins when the turn does. */
  takesTurn(because: string | null): void;
  readonly store: Store;
  /** Layout of the release; `layoutFolder(plan)` is the folder of this source's products. */
  readonly layout: Layout;

  artifacts(kind: ArtifactKind, labels?: Readonly<Record<string, string>>): readonly Artifact[];
  /** Copies verified bytes to `folder/artifact.name` (or `as`). Returns the path. */
  fetch(artifact: Artifact, folder: string, as?: string): Promise<string>;
  keep(path: string, kind: ArtifactKind, labels?: Readonly<Record<string, string>>, name?: string): Promise<Artifact>;
  /** Returns a clean environment: PATH with Slipway's tools first, a HOME of the attempt's own, LANG, TZ, CA
   * certificates, SOURCE_DATE_EPOCH, shared caches. */
  env(extra?: Readonly<Record<string, string>>): Record<string, string>;
  /** Returns the environment in which pip reads the settings and credentials of the worker's user. Only for programs
   * of Slipway that run no code of a project. */
  envOfPip(): Record<string, string>;
  /** Runs a program in the workspace with output to the log. A non-zero exit is returned; a time-out or an abort
   * throws. */
  exec(argv: readonly string[] | string, options?: ExecOptions): Promise<Exit>;
  /** Runs a program like `exec`. Throws COMMAND_FAILED (class product) with the last lines unless the exit is 0. */
  must(argv: readonly string[] | string, options?: ExecOptions): Promise<void>;
  /** Runs a program like `must`. Returns stdout (at most 1 MiB) instead of logging it. */
  capture(argv: readonly string[] | string, options?: ExecOptions): Promise<string>;
  /** Saves a value once for all attempts and rounds of this step in this run. Returns the first value. Used for remote
   * ids, before polling. */
  remember<T>(key: string, value: T): Promise<T>;
  recall<T>(key: string): Promise<T | null>;
  /** Makes a part of the step, or reuses its cached result: the same bytes can be judged again without a new build.
   * Only for steps of a `pure` kind. */
  part(part: Part, make: () => Promise<Made>): Promise<Result & { readonly reused: boolean }>;
  /** Performs an effect on the outside world. A drill kills right before and right after it. */
  effect<T>(act: () => Promise<T>): Promise<T>;
  /** Returns the address of a `service:NAME`; any other address is returned unchanged. */
  address(address: string): string;
  /** Returns this home's credential for a `service:NAME`. Null for other addresses, and if this worker lacks the secret.
   * Logs hide it. It goes to no program of a project. */
  login(address: string): Credential | null;
  /** Returns the value of `$NAME`, `file:` or `command:`; other texts are returned unchanged. Logs, notes, facts and
   * failures of the attempt hide it. A user's `name` is hidden only if it is as long as a token. Throws
   * SECRET_MISSING. */
  secret(reference: string, as?: 'name'): Promise<string>;
}

export interface Part {
  readonly name: string;
  /** Raise it when the part's output changes; older results are then ignored. */
  readonly epoch: number;
  /** Parameters of the step that the part does not read. */
  readonly ignores: readonly string[];
  /** Returns false to make the part again in place of the cached result. */
  believe(known: Result): Promise<boolean>;
}

export interface ExecOptions {
  readonly cwd?: string;
  /** The whole environment. Default: `work.env()`. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Purpose of the program. Default: `project`. */
  readonly access?: Access;
  /** Further folders of the machine that the program may write, such as the folder of a target. */
  readonly folders?: readonly string[];
  /** Set for Slipway's own programs: they see what the worker sees. */
  readonly unconfined?: true;
}

export interface Toolchain {
  /** The part of it that the step's key holds. */
  readonly pin: Pin | string;
  readonly tools: Pin['tools'];
  /** Absolute interpreter by tag on the worker that proved it. Call `python(tag)` on another worker; never put it into
   * a result. */
  readonly pythons: Readonly<Record<string, string>>;
}

/** The answer of a body; `attempt.ts` makes the step's result from it. */
export interface Made {
  readonly artifacts: readonly Artifact[];
  readonly facts?: JsonObject;
  readonly findings?: readonly Finding[];
  readonly note: string;
  /** True if the result existed already; reported as `cached`. */
  readonly reused?: boolean;
}

/** The code of one kind: observe, act, verify. */
export type Body<K extends KindName> = (work: Work<K>) => Promise<Made>;
export type Bodies = { readonly [K in KindName]?: Body<K> };

export type { Finding, StepId };
