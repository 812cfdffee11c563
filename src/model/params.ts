import type { Axes, Queue, StepId } from './ids.js';
import type { KindName } from './kinds.js';
import type { GateRules } from './gate.js';
import type { Outlet } from './listener.js';
import type { Ability } from './worker.js';
import type { Cross, PlatformFacts } from './platform.js';
import type { Target } from './target.js';
import type { ClusterTestParams } from './tests/cluster.js';
import type { WheelBuild, WheelTake } from './wheel-params.js';
import type { StandingsPolicy } from './tests/standing.js';
import type { Reporter } from './tests/reporter.js';

export type Env = Readonly<Record<string, string>>;

/** Location of a command: the worker's host, or a container from a step's image. */
export type Where = { readonly in: 'host' } | { readonly in: 'container'; readonly base: StepId };

/** Planning fills texts in ({version} {commit} {branch} and axes); {files} and {out} stay for the worker. Shell lines
 * hold no values: they name variables (shell-variables.ts). */
export interface CommandParams {
  /** A shell line for `sh -eu -c`. Null if the builder makes its own. */
  readonly run: string | null;
  /** Values that the line reads from its environment, by variable. Absent if it reads none. */
  readonly vars?: Env;
  readonly env: Env;
  /** Working folder, relative to the source tree. */
  readonly folder: string;
  readonly where: Where;
  /** Present if the project's programs have the network. */
  readonly network?: true;
}

export type SourceRef =
  | {
      readonly kind: 'sdist';
      readonly name: string;
      readonly version: string;
      readonly sha256: string;
      /** Name of the file on the index. Absent: the first source archive of the version. */
      readonly file?: string;
      /** The file of the bundle that it is, in place of the index. */
      readonly path?: string;
    }
  | {
      readonly kind: 'git';
      readonly commit: string;
      /** The only folder of the commit that is exported. Absent means the whole tree. */
      readonly folder?: string;
    };

export type PointerWhen = 'newest stable' | 'newest commit' | 'always';

/** The JAR of one platform's libraries, for the JAR that gathers all platforms. */
export interface NativeRef {
  /** Its `native` is also the classifier. */
  readonly for: PlatformFacts;
  /** Folder of its libraries inside the JAR. */
  readonly folder: string;
  readonly path: string;
  /** The step of this plan that builds it. Null if another pipeline does. */
  readonly step: StepId | null;
}

export type LockTool = 'uv' | 'pip-tools' | 'relax';

/** Options whose support by a lock tool is proved. */
export interface LockOptions {
  readonly tool: LockTool;
  readonly options: readonly string[];
  readonly of: readonly string[];
}

/** Parameters of each kind. `schema/params.ts` has the strict schema of each under the same name. */
export interface Params {
  /** Lists the tools of a queue's workers and pins its toolchain. Facts: `{toolchain, tools, pythons}`. */
  proveQueue: {
    readonly queue: Queue;
    readonly tools: readonly string[];
    readonly pythons: readonly string[];
    /** Abilities that every worker of the queue must have. */
    readonly can: readonly Ability[];
    readonly diskMiB: number;
    readonly options?: readonly LockOptions[];
  };
  /** The target answers, accepts the credential, and the version is free or ours. */
  proveTarget: {
    readonly target: Target;
    readonly project: string;
    readonly version: string;
    /** Tags of images to publish. The version if there are none. */
    readonly tags: readonly string[];
  };
  /** The GPG key exists and signs. Key and passphrase are references. Facts: `{fingerprint}`. */
  proveKey: { readonly key: string; readonly passphrase: string | null };
  /** The attestation key exists and signs. The key is a reference. Facts: `{keyid}`. */
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
    readonly in: readonly string[];
    readonly constraints: readonly string[];
    readonly cutoff: string | null;
    /** A lock inside the source tree that must equal the result. A difference fails with the diff. */
    readonly drift: string | null;
    /** Each item is one option of the tool, with its value after a blank. */
    readonly options?: readonly string[];
    /** Path of the lock in the source tree. */
    readonly lock?: string;
    /** True to store the file as the tool writes it. Absent: requirements and hashes alone. */
    readonly exact?: true;
    /** True if `lock` of the source must equal the result byte for byte. */
    readonly bytes?: true;
    /** Packages that are removed from the input lock before it is compiled again (raydepsets: `operation: relax`). */
    readonly without?: readonly string[];
  };
  takeSdist: { readonly project: string; readonly version?: string };
  buildSdist: CommandParams & {
    readonly project: string;
    /** Version of its own source. Absent: that of the release. */
    readonly version?: string;
    readonly builder: 'uv' | 'build' | 'command';
    readonly outputs: readonly string[];
  };
  /** Runs once for all variants of a wheel. One artifact of kind tree: the whole tree after the command. */
  prepareSource: CommandParams & {
    readonly project: string;
    /** The Python whose lock it uses, if the wheel has one. */
    readonly python: string | null;
    readonly overlay: string | null;
    readonly normalise: readonly string[];
  };
  /** One artifact of kind wheel, as another pipeline built it. Facts: `{file, from, etag|null, commit|null}`. */
  takeWheel: WheelTake;
  /** One artifact of kind wheel, repaired and checked. */
  buildWheel: CommandParams & WheelBuild;
  /** Native libraries of one platform: one artifact of kind jar with the label `platform`, also in the store's layout. */
  buildNative: CommandParams & {
    readonly project: string;
    readonly version: string;
    readonly for: PlatformFacts;
    readonly cross: Cross | null;
    /** Globs of the libraries, relative to the working folder or `{out}`. */
    readonly libraries: readonly string[];
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
    /** Libraries of all platforms, inside it or beside it. */
    readonly natives: {
      readonly as: 'resources' | 'classifier';
      readonly module: string | null;
      readonly waitMs: number;
      readonly from: readonly NativeRef[];
    } | null;
    /** Codes of accepted findings, with the reason. */
    readonly accept: Readonly<Record<string, string>>;
  };
  /** Makes a `.asc` for each input file of kind jar. `key` and `passphrase` are references: `$NAME`. */
  signFiles: { readonly project: string; readonly key: string; readonly passphrase: string | null };
  /** One artifact of kind image in staging under `bases/<name>`. */
  makeBase: {
    readonly name: string;
    readonly from:
      | { readonly image: string }
      | {
          readonly debian: string;
          readonly packages: readonly string[];
          /** First day of the period that it is made for. Absent: it is made once. */
          readonly since?: string;
        };
    /** OCI platform, `linux/arm64`. Null for the engine's own. */
    readonly oci: string | null;
  };
  /** One artifact of kind image in staging, by digest. Build context: `deps/ wheels/ jars/ sdists/ files/`. */
  buildImage: {
    readonly project: string;
    readonly version: string;
    readonly platform: string;
    /** OCI platform of `platform`. Null for the engine's own. */
    readonly oci: string | null;
    readonly base: StepId | null;
    readonly dockerfile: string;
    /** Present if the build context is the source tree. */
    readonly context?: 'source';
    readonly args: Readonly<Record<string, string>>;
    readonly labels: Readonly<Record<string, string>>;
    readonly tags: readonly string[];
    /** Present if RUN lines of the Dockerfile have the network. */
    readonly network?: true;
  };
  /** One artifact of kind image in staging: an index over images that differ only in their platform. */
  assembleIndex: {
    readonly project: string;
    readonly version: string;
    /** Children by OCI platform. */
    readonly children: readonly { readonly step: StepId; readonly platform: string }[];
    /** Platforms that the release drops, with the reason. */
    readonly dropped: readonly { readonly platform: string; readonly because: string }[];
    readonly tags: readonly string[];
  };
  /** One artifact of kind image in staging: the image behind a tag of a target, resolved to a digest. No step of this
   * plan builds it. */
  promoteImage: {
    readonly project: string;
    readonly version: string;
    readonly from: Target;
    readonly tag: string;
    /** The required digest. Null for the current digest of the tag. */
    readonly digest: string | null;
    readonly tags: readonly string[];
  };
  runTest: {
    readonly in: 'venv' | 'image' | 'jvm' | 'host';
    readonly run: string;
    readonly vars?: Env;
    readonly env: Env;
    readonly python: string | null;
    /** A line that the output must contain. */
    readonly expect: string | null;
    /** A file, relative to the working folder ($OUT in images), that must exist afterwards and is stored. */
    readonly result: string | null;
    readonly artifacts: readonly string[];
    /** For venv, jvm and host: a container with Debian packages instead of the worker's host. */
    readonly where?: Where;
    readonly network?: true;
  };
  runOnCluster: ClusterTestParams;
  runCommand: CommandParams & { readonly outputs: readonly string[]; readonly expect: string | null };
  /** A command that runs after other steps, whatever their outcome. It has no source and no inputs. */
  tidyUp: Params['runCommand'];
  /** Ends clusters of this name that tests left. */
  clearClusters: { readonly cluster: string };
  sealManifest: Record<string, never>;
  /** Artifacts of kind file: checksums of all products, the pins of the locks, and a provenance statement. It
   * is signed if there is a key (a reference). Facts: `{manifest, subjects, keyid|null}`. */
  attestRelease: { readonly key: string | null };
  /** Waits for approvals, a time or both. Facts: `{manifest, approvals}`. */
  passGate: GateRules;
  publishArtifacts: {
    readonly target: Target;
    readonly of: readonly StepId[];
    /** Tags of an image. For a static index the platforms whose index lists the wheel. */
    readonly tags: readonly string[];
    /** Publishes the results of `of` without the run's seal. */
    readonly when?: 'built';
  };
  /** Installs from the target and runs a line. With `run` null, the kind's own smallest check. */
  verifyTarget: {
    readonly target: Target;
    readonly project: string;
    readonly version: string;
    readonly of: readonly StepId[];
    readonly run: string | null;
    readonly vars?: Env;
    readonly python: string | null;
    /** Bases of a static index: each wheel is installed in the one that it was built in. Absent: on the worker. */
    readonly bases?: readonly StepId[];
    readonly network?: true;
    /** As in `publishArtifacts`. */
    readonly when?: 'built';
  };
  movePointer: {
    readonly target: Target;
    readonly name: string;
    readonly version: string;
    readonly to: StepId;
    readonly when: PointerWhen;
  };
  /** Announces a version once. Facts: `{announced, id}`. */
  announceRelease: { readonly outlet: Outlet };
  keepStandings: StandingsPolicy;
  /** Reports the results of the run's tests. Facts: `{reported, existed}`. */
  reportTests: Reporter;
  writeReport: Record<string, never>;
}

/** Fails to compile if a kind lacks parameters or parameters lack a kind. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
export const EVERY_KIND_HAS_PARAMS: Same<keyof Params, KindName> = true;

export type { Axes };
