import type { Axes, Queue, StepId } from './ids.js';
import type { KindName } from './kinds.js';
import type { GateRules } from './gate.js';
import type { Outlet } from './listener.js';
import type { Ability } from './worker.js';
import type { Cross, PlatformFacts } from './platform.js';
import type { Target } from './target.js';
import type { ClusterTestParams } from './tests/cluster.js';

export type Env = Readonly<Record<string, string>>;

/** The place of a command: the worker's host, or a container from the image of a step. */
export type Where = { readonly in: 'host' } | { readonly in: 'container'; readonly base: StepId };

/** Texts are filled in at plan time ({version} {commit} {branch} and axes); {files} and {out} stay for the worker. Shell lines hold
 * no values: they name variables, as shell-variables.ts calls them. */
export interface CommandParams {
  /** A shell line for `sh -eu -c`; null where the builder makes its own. */
  readonly run: string | null;
  /** Values that the line reads of its environment, by variable; absent where it reads none. */
  readonly vars?: Env;
  readonly env: Env;
  /** Working folder, relative to the source tree. */
  readonly folder: string;
  readonly where: Where;
  /** Present if the project's own programs have the network. */
  readonly network?: true;
}

export type SourceRef =
  | { readonly kind: 'sdist'; readonly name: string; readonly version: string; readonly sha256: string }
  | {
      readonly kind: 'git';
      readonly commit: string;
      /** The only folder of the commit that is taken; absent: all of it. */
      readonly folder?: string;
    };

/** A value read from inside a wheel without importing it: first group of `match` in `file`. */
export interface CommitCheck {
  readonly file: string;
  readonly match: string;
}

/** By version, by commit, or with every release. */
export type PointerWhen = 'newest stable' | 'newest commit' | 'always';

/** The JAR of one platform's libraries, as the JAR of all platforms knows it. */
export interface NativeRef {
  /** Its `native` is the classifier too. */
  readonly for: PlatformFacts;
  /** Folder of its libraries inside the JAR. */
  readonly folder: string;
  /** Path in the store's layout. */
  readonly path: string;
  /** The step of this plan that makes it; null where another pipeline does. */
  readonly step: StepId | null;
}

export type LockTool = 'uv' | 'pip-tools' | 'relax';

/** Options that one lock tool is asked about. */
export interface LockOptions {
  readonly tool: LockTool;
  readonly options: readonly string[];
  /** Entries of `deps:` that name them. */
  readonly of: readonly string[];
}

/** Parameters of each kind; `schema/params.ts` holds the strict schema of each under the same name. */
export interface Params {
  /** Measures what a queue's workers can do and pins its toolchain. Facts: `{toolchain, tools, pythons}`. */
  proveQueue: {
    readonly queue: Queue;
    readonly tools: readonly string[];
    readonly pythons: readonly string[];
    /** Abilities that every worker of the queue must have. */
    readonly can: readonly Ability[];
    readonly diskMiB: number;
    /** Options of lock tools that entries of `deps:` name. */
    readonly options?: readonly LockOptions[];
  };
  /** Target reachable, credential accepted, version free or ours. */
  proveTarget: {
    readonly target: Target;
    readonly project: string;
    readonly version: string;
    /** Tags of images that will be written there; the version where there is none. */
    readonly tags: readonly string[];
  };
  /** The key is there, and signs. References: `$NAME`. Facts: `{fingerprint}`. */
  proveKey: { readonly key: string; readonly passphrase: string | null };
  /** The key that attests is there, and is one that can. A reference. Facts: `{keyid}`. */
  proveAttestKey: { readonly key: string };
  /** One artifact: the sdist itself, or `source.tar` of the commit. Facts: `{epoch, commit|null, version|null}`. */
  fetchSource: { readonly source: SourceRef };
  /** One artifact of kind lock. Facts: `{cutoff, pins}`. */
  compileLock: {
    readonly name: string;
    readonly tool: LockTool;
    readonly python: string;
    readonly for: PlatformFacts;
    readonly requires: readonly string[];
    /** Requirement files inside the source tree. */
    readonly in: readonly string[];
    readonly constraints: readonly string[];
    readonly cutoff: string | null;
    /** A lock inside the source tree that must equal the result; a difference fails with the diff. */
    readonly drift: string | null;
    /** One option of the tool each, with its value after a blank. */
    readonly options?: readonly string[];
    /** Path of the lock in the source tree. */
    readonly lock?: string;
    /** The file as the tool writes it; absent: requirements and hashes alone. */
    readonly exact?: true;
    /** True where `lock` of the source must equal the result byte for byte. */
    readonly bytes?: true;
    /** Packages that `relax` takes out of the lock that `in` names. */
    readonly without?: readonly string[];
  };
  takeSdist: { readonly project: string };
  buildSdist: CommandParams & {
    readonly project: string;
    readonly builder: 'uv' | 'build' | 'command';
    readonly outputs: readonly string[];
  };
  /** Runs once for all variants of a wheel; one artifact of kind tree: the whole tree as it is afterwards. */
  prepareSource: CommandParams & {
    readonly project: string;
    /** The Python whose lock it runs with, where the wheel has one. */
    readonly python: string | null;
    readonly overlay: string | null;
    readonly normalise: readonly string[];
  };
  /** One artifact of kind wheel, repaired and checked. */
  buildWheel: CommandParams & {
    readonly project: string;
    readonly version: string;
    readonly builder: 'uv' | 'build' | 'pip' | 'cibuildwheel' | 'command';
    /** Null: one wheel for all Pythons. */
    readonly python: string | null;
    /** The Python that builds it; null: any that is there. */
    readonly interpreter: string | null;
    readonly for: PlatformFacts;
    /** True where one wheel is for all platforms: `for` is then only the builder's. */
    readonly everywhere: boolean;
    /** The compiler that builds for `for` on another machine; null: the machine's own. */
    readonly cross: Cross | null;
    readonly overlay: string | null;
    /** Globs, relative to the working folder, of wheels that a command leaves; the default is `{out}/*.whl`. */
    readonly outputs: readonly string[];
    readonly repair: { readonly exclude: readonly string[] } | null;
    readonly commit: CommitCheck | null;
    /** Codes of findings that the release file accepts, with the reason. */
    readonly accept: Readonly<Record<string, string>>;
  };
  /** The native libraries of one platform: one artifact of kind jar with the label `platform`, also in the store's layout. */
  buildNative: CommandParams & {
    readonly project: string;
    readonly version: string;
    readonly for: PlatformFacts;
    readonly cross: Cross | null;
    /** Globs of the libraries, relative to the working folder or `{out}`. */
    readonly libraries: readonly string[];
    /** Folder inside the JAR. */
    readonly inside: string;
    /** Path in the store's layout: `main/<commit>/jars/linux-x86_64/skiff-1.0-linux-x86_64.jar`. */
    readonly place: string;
    /** Maven coordinates, if it is published by itself. */
    readonly coordinates: { readonly groupId: string; readonly artifactId: string } | null;
  };
  /** Artifacts of kind jar, POMs included. */
  buildJar: CommandParams & {
    readonly project: string;
    readonly version: string;
    readonly builder: 'maven' | 'command';
    readonly modules: readonly string[];
    readonly properties: Readonly<Record<string, string>>;
    readonly with: readonly ('sources' | 'javadoc')[];
    readonly outputs: readonly string[];
    /** Libraries of all platforms that go into it, or beside it. */
    readonly natives: {
      readonly as: 'resources' | 'classifier';
      readonly module: string | null;
      readonly waitMs: number;
      readonly from: readonly NativeRef[];
    } | null;
    /** Codes of findings that the release file accepts, with the reason. */
    readonly accept: Readonly<Record<string, string>>;
  };
  /** A `.asc` for each file of kind jar among the inputs. `key` and `passphrase` are references: `$NAME`. */
  signFiles: { readonly project: string; readonly key: string; readonly passphrase: string | null };
  /** One artifact of kind image in staging under `bases/<name>`. */
  makeBase: {
    readonly name: string;
    readonly from: { readonly image: string } | { readonly debian: string; readonly packages: readonly string[] };
    /** OCI platform, `linux/arm64`; null: the engine's own. */
    readonly oci: string | null;
  };
  /** One artifact of kind image in staging, by digest. Build context: `deps/ wheels/ jars/ sdists/ files/`. */
  buildImage: {
    readonly project: string;
    readonly version: string;
    readonly platform: string;
    /** OCI platform of `platform`; null: the engine's own. */
    readonly oci: string | null;
    readonly base: StepId | null;
    readonly dockerfile: string;
    /** Present if the build context is the source tree. */
    readonly context?: 'source';
    readonly args: Readonly<Record<string, string>>;
    readonly labels: Readonly<Record<string, string>>;
    readonly tags: readonly string[];
    /** Present if the lines of the Dockerfile have the network. */
    readonly network?: true;
  };
  /** One artifact of kind image in staging: an index over images that differ in their platform alone. */
  assembleIndex: {
    readonly project: string;
    readonly version: string;
    /** By platform, OCI. */
    readonly children: readonly { readonly step: StepId; readonly platform: string }[];
    /** Platforms that the release leaves out, each with its reason. */
    readonly dropped: readonly { readonly platform: string; readonly because: string }[];
    readonly tags: readonly string[];
  };
  /** One artifact of kind image in staging: what a tag of a target stands for, by digest, built by no step of this plan. */
  promoteImage: {
    readonly project: string;
    readonly version: string;
    readonly from: Target;
    readonly tag: string;
    /** The digest that it must be; null: whatever the tag stands for. */
    readonly digest: string | null;
    readonly tags: readonly string[];
  };
  runTest: {
    readonly in: 'venv' | 'image' | 'jvm' | 'host';
    readonly run: string;
    readonly vars?: Env;
    readonly env: Env;
    readonly python: string | null;
    /** A line that must stand in the output. */
    readonly expect: string | null;
    /** A file, relative to the working folder ($OUT in images), that must exist afterwards and is kept. */
    readonly result: string | null;
    readonly artifacts: readonly string[];
    /** For venv, jvm and host: a container with Debian packages instead of the worker's own host. */
    readonly where?: Where;
    /** Present if the test has the network. */
    readonly network?: true;
  };
  runOnCluster: ClusterTestParams;
  runCommand: CommandParams & { readonly outputs: readonly string[]; readonly expect: string | null };
  /** A command that runs after others, however they ended; it has no source and no inputs. */
  tidyUp: Params['runCommand'];
  sealManifest: Record<string, never>;
  /** Artifacts of kind file: checksums of all products, what the locks pin, and a statement of where they come from; signed where there is a key
   * (a reference). Facts: `{manifest, subjects, keyid|null}`. */
  attestRelease: { readonly key: string | null };
  /** People, a time or both, before what needs it. Facts: `{manifest, approvals}`. */
  passGate: GateRules;
  /** Publishes every artifact of `of` that the target's kind takes, one by one. */
  publishArtifacts: { readonly target: Target; readonly of: readonly StepId[]; readonly tags: readonly string[] };
  /** Installed from the target and run; `run` null: the kind's own smallest check. */
  verifyTarget: {
    readonly target: Target;
    readonly project: string;
    readonly version: string;
    readonly of: readonly StepId[];
    readonly run: string | null;
    readonly vars?: Env;
    readonly python: string | null;
    /** Present if the line has the network. */
    readonly network?: true;
  };
  movePointer: {
    readonly target: Target;
    readonly name: string;
    readonly version: string;
    readonly to: StepId;
    readonly when: PointerWhen;
  };
  /** Tells the world, once for a version. Facts: `{announced, id}`. */
  announceRelease: { readonly outlet: Outlet };
  writeReport: Record<string, never>;
}

/** Every kind has parameters, and nothing else does. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
export const EVERY_KIND_HAS_PARAMS: Same<keyof Params, KindName> = true;

export type { Axes };
