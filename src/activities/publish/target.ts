import type { Origin } from '../../engine/ledger/newest-commit.js';
import type { Artifact, ArtifactKind } from '../../model/artifact.js';
import type { Digest } from '../../model/digest.js';
import type { Problem } from '../../model/failure.js';
import type { Target, TargetExtra } from '../../model/target.js';
import type { Exit } from '../ports.js';
import type { ExecOptions } from '../work.js';

/** A registry to talk to: addresses resolved, secrets revealed. Lives in memory only, never logged or stored. */
export interface Connection extends Pick<Target, 'name' | 'kind' | 'address' | 'repository' | 'username' | 'password'> {
  /** Address of the staging registry that images are copied from; null where it is not up. */
  readonly staging: string | null;
  /** Settings that only this kind has. */
  readonly extra: TargetExtra | null;
  /** Values by the variable that a command's lines get. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Version of the release. */
  readonly version: string;
}

/** The part of an attempt that a target may use. `Work` is one. */
export interface Session {
  readonly folder: string;
  /** The bundle files that the step names: what `{files}` stands for. */
  readonly files: string;
  readonly signal: AbortSignal;
  /** Milliseconds that a target may take for a short answer; absent: the adapters' own. */
  readonly patienceMs?: number;
  /** Milliseconds between two looks at what takes a target long, at most; absent: the adapters' own. */
  readonly longestWaitMs?: number;
  env(extra?: Readonly<Record<string, string>>): Record<string, string>;
  exec(argv: readonly string[] | string, options?: Pick<ExecOptions, 'env' | 'access' | 'folders'>): Promise<Exit>;
  /** Stdout of a program that must succeed. */
  capture(argv: readonly string[], options?: { readonly env?: Readonly<Record<string, string>> }): Promise<string>;
  /** Copies an artifact's bytes to `folder/artifact.name`, verified; answers the path. */
  fetch(artifact: Artifact, folder: string): Promise<string>;
  /** Saved create-once for all attempts of this step in this run; answers the value that stands. */
  remember<T>(key: string, value: T): Promise<T>;
  recall<T>(key: string): Promise<T | null>;
  readonly log: { write(text: string): void; tail(lines: number): readonly string[] };
}

/** One name in a target that these bytes are to have. */
export interface Item {
  readonly artifact: Artifact;
  /** File name, Maven path, or `repository:tag`. */
  readonly name: string;
  /** Address of the published file, without credentials. */
  readonly url: string;
}

export type Observed =
  | { readonly state: 'absent' }
  /** `url`: the very file's, where the target only tells it once it is there. */
  | { readonly state: 'present'; readonly digest: Digest; readonly url?: string };

/** A name that the target already has for a version. */
export interface Found {
  readonly name: string;
  readonly digest: Digest | null;
}

export interface Credential {
  readonly username: string;
  readonly password: string;
}
export interface Source {
  /** Simple index, Maven repository, or `host/repository`; without credentials. */
  readonly address: string;
  /** Only where reading asks for one: a credential for uploads is not shown around. */
  readonly credential: Credential | null;
}

/** A kind of registry. The four: `prove`, `observe`, `upload`, `undo`; the rest says what it takes and where it answers.
 * All failures are coded; most are TARGET_UNREACHABLE (infra), TARGET_DENIED (denied) or TARGET_REFUSED (config). */
export interface PublishTarget {
  readonly takes: readonly ArtifactKind[];
  /** How a person takes an upload back, or `irrevocable`. */
  readonly undo: string;
  /** Reachable, and this identity may publish as far as that can be asked without doing it; answers what is there of the
   * version, or null where that cannot be told before the files are built. Asked at the start, and again right before anything goes out.
   * @param tags that images will get; none: the version
   * @param items all that will go there, once it is built and sealed */
  prove(
    project: string,
    version: string,
    tags: readonly string[],
    items?: readonly Item[],
  ): Promise<readonly Found[] | null>;
  /** Names that an artifact gets. `tags` matter to images only. */
  items(artifact: Artifact, tags: readonly string[]): readonly Item[];
  /** Returns problems that readers of the target would have with these items. Called before anything is sent. */
  check?(items: readonly Item[]): readonly Problem[];
  observe(item: Item): Promise<Observed>;
  /** Asks for it once. Whether it is there is what `observe` says afterwards, however this ends. */
  upload(items: readonly Item[]): Promise<void>;
  /** Writes files that readers need too: checksums, maven-metadata.xml. Idempotent. Called after all files are there. */
  complete?(items: readonly Item[], newest: (versions: readonly string[]) => string | null): Promise<void>;
  /** Returns the address from which the kind's own client installs. */
  source(): Promise<Source>;
}

/** A name that moves: an image's tag. */
export interface PointerTarget {
  /** All tags of the repository. */
  tags(): Promise<readonly string[]>;
  /** Digest behind a tag, null where there is none. */
  digestOf(tag: string): Promise<Digest | null>;
  /** Returns the commit that an image names as its source; for an index, that of its first image. Null if it names none. */
  originOf(digest: Digest): Promise<Origin | null>;
  /** Makes the tag point at a manifest that the repository holds. */
  point(tag: string, digest: Digest): Promise<void>;
}

/** Opens a connection; says nothing to the other side yet. */
export interface Targets {
  open(connection: Connection, session: Session): PublishTarget;
  /** Null for kinds without names that move. */
  pointers(connection: Connection, session: Session): PointerTarget | null;
}
