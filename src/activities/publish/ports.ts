import type { ListingPorts, RestorePlace } from '../index/ports.js';
import type { ImageContainers } from '../tests/ports.js';
import type { ImageRunner } from '../verify/ports.js';
import type { RunId } from '../../model/ids.js';
import type { SealedArtifact } from '../../engine/ledger/manifest.js';
import type { Origin } from '../../engine/ledger/newest-commit.js';
import type { Artifact } from '../../model/artifact.js';
import type { Digest } from '../../model/digest.js';
import type { Problem } from '../../model/failure.js';
import type { Credential } from '../../model/service-login.js';
import type { Target, TargetExtra } from '../../model/target.js';
import type { Exit } from '../ports.js';
import type { ExecOptions } from '../work.js';

export interface PublishPorts {
  readonly targets: Targets;
  /** For static indexes. Absent where there are none. */
  readonly listing?: ListingPorts;
  /** Null without a Docker engine: images are then compared, but not run. */
  readonly images: ImageRunner | null;
  /** Runs the installers of a static index in a base. Absent without a Docker engine. */
  readonly containers?: ImageContainers | null;
  /** Returns the run that is open under a workflow id. Null if none is. Absent without a Temporal server. */
  readonly openRun?: (workflowId: string) => Promise<RunId | null>;
  /** Milliseconds between reads after an upload. Default: `READ_BACK_WAITS_MS`. */
  readonly readBackWaitsMs?: readonly number[];
  /** Validity of a proof that Slipway may publish, in milliseconds. Default: ten minutes. */
  readonly proofHoldsMs?: number;
}

export type { Origin } from '../../engine/ledger/newest-commit.js';

/** A registry with resolved address and secrets. It exists in memory only, never in a log or the store. */
export interface Connection extends Pick<Target, 'name' | 'kind' | 'address' | 'repository' | 'username' | 'password'> {
  /** Address of the staging registry that images are copied from. Null if staging is down. */
  readonly staging: string | null;
  readonly stagingLogin?: Credential | null;
  /** True: anyone reads it, so that no client gets the credential for reads. */
  readonly readsOpenly?: boolean;
  readonly extra: TargetExtra | null;
  /** Values by the variable that a command's lines get. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly version: string;
}

/** The part of an attempt that a target may use. `Work` is one. */
export interface Session {
  readonly folder: string;
  /** Folder of the step's bundle files; `{files}` is replaced by it. */
  readonly files: string;
  readonly signal: AbortSignal;
  /** Time limit of a short request, in milliseconds. Default: the adapter's. */
  readonly patienceMs?: number;
  /** Longest wait between two polls of a slow operation, in milliseconds. Default: the adapter's. */
  readonly longestWaitMs?: number;
  env(extra?: Readonly<Record<string, string>>): Record<string, string>;
  exec(argv: readonly string[] | string, options?: Pick<ExecOptions, 'env' | 'access' | 'folders'>): Promise<Exit>;
  /** Returns stdout of a program that must succeed. */
  capture(argv: readonly string[], options?: { readonly env?: Readonly<Record<string, string>> }): Promise<string>;
  /** Copies verified bytes to `folder/artifact.name`. Returns the path. */
  fetch(artifact: Artifact, folder: string): Promise<string>;
  /** Saves a value once for all attempts of this step in this run. Returns the first value. */
  remember<T>(key: string, value: T): Promise<T>;
  recall<T>(key: string): Promise<T | null>;
  readonly log: { write(text: string): void; tail(lines: number): readonly string[] };
}

export interface Item {
  readonly artifact: Artifact & Pick<SealedArtifact, 'source'>;
  /** File name, Maven path, or `repository:tag`. */
  readonly name: string;
  /** Address of the published file, without credentials. */
  readonly url: string;
}

export type Observed =
  | { readonly state: 'absent' }
  /** `url` is set if the target assigns the address on upload. */
  | { readonly state: 'present'; readonly digest: Digest; readonly url?: string };

export interface Found {
  readonly name: string;
  readonly digest: Digest | null;
}

export type { Credential };
export interface Source {
  /** Simple index, Maven repository, or `host/repository`; without credentials. */
  readonly address: string;
  /** Null unless reading needs one: a credential for uploads is never passed on. */
  readonly credential: Credential | null;
}

/** An adapter of a kind of registry. Every failure has a code, mostly TARGET_UNREACHABLE (infra), TARGET_DENIED
 * (denied) or TARGET_REFUSED (config). */
export interface PublishTarget {
  /** Checks that the target is reachable and, as far as a read-only request can say, that this identity may publish.
   * Returns existing names of the version, or null if they are unknown before the build. Runs at the start and again
   * before uploads.
   * @param tags tags of images; empty means the version
   * @param items everything that will be uploaded, once it is sealed */
  prove(
    project: string,
    version: string,
    tags: readonly string[],
    items?: readonly Item[],
  ): Promise<readonly Found[] | null>;
  /** Returns the names of an artifact. `tags` apply to images only. */
  items(artifact: Artifact, tags: readonly string[]): readonly Item[];
  /** Returns problems that readers of the target would have with these items. Runs before any upload. */
  check?(items: readonly Item[]): readonly Problem[];
  observe(item: Item): Promise<Observed>;
  /** Uploads once. Only a later `observe` shows whether the files arrived, even after an error. */
  upload(items: readonly Item[]): Promise<void>;
  /** Makes the name of an item free of these other bytes, or sets it to the item at once. Safe to repeat. Present for kinds
   * of registries that a home has; only a rehearsal asks for it. */
  replace?(item: Item, bytes: Digest): Promise<void>;
  /** Writes files that readers also need: checksums, maven-metadata.xml. Idempotent; runs after all uploads. */
  complete?(items: readonly Item[], newest: (versions: readonly string[]) => string | null): Promise<void>;
  /** Returns the address from which the kind's own client installs. */
  source(): Promise<Source>;
  /** Returns a record of an index as its readers see it. Null if there is none. */
  record?(path: string): Promise<string | null>;
}

export interface PointerTarget {
  tags(): Promise<readonly string[]>;
  /** Returns the digest of a tag. Null if the tag does not exist. */
  digestOf(tag: string): Promise<Digest | null>;
  /** Returns the commit that an image names as its source. For an index, that of its first image. Null if it names
   * none. */
  originOf(digest: Digest): Promise<Origin | null>;
  /** Sets a tag to a manifest that the repository holds. */
  point(tag: string, digest: Digest): Promise<void>;
}

/** Opens connections without sending anything. */
export interface Targets {
  open(connection: Connection, session: Session): PublishTarget;
  /** Null for kinds without mutable names. */
  pointers(connection: Connection, session: Session): PointerTarget | null;
  /** Null for kinds that are no static index. Absent where there are none. */
  index?(connection: Connection): RestorePlace | null;
}
