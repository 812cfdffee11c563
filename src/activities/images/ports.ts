import type { Problem } from '../../model/failure.js';
import type { Digest } from '../../model/digest.js';
import type { Connection, Session } from '../publish/target.js';
import type { Archives } from '../source/ports.js';

/** Log and abort signal of a request to the engine. An abort also ends the work in the engine. */
export interface Talk {
  /** The caller awaits the promise, so memory stays flat. */
  readonly log: (text: string) => void | Promise<void>;
  readonly signal: AbortSignal;
}

export interface ImageBuild {
  /** A folder whose whole content is the build context. */
  readonly context: string;
  /** Path of the Dockerfile inside the context. */
  readonly dockerfile: string;
  /** `repository:tag` under which the engine keeps the image. */
  readonly reference: string;
  readonly args: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  /** Seconds since 1970: time of every member of the context. */
  readonly epoch: number;
  /** OCI platform; null: the engine's own. */
  readonly platform: string | null;
  /** The host's network for the lines of the Dockerfile; else none. */
  readonly network: boolean;
}

export interface ImportedImage {
  readonly reference: string;
  readonly labels: Readonly<Record<string, string>>;
  /** OCI platform; null: the engine's own. */
  readonly platform: string | null;
}

/** A container engine, in our words. References are `repository:tag` or `repository@sha256:…`. */
export interface ImageEngine {
  has(reference: string, signal: AbortSignal): Promise<boolean>;
  /** Makes an image of a root file system's tar. */
  importTar(tar: string, image: ImportedImage, talk: Talk): Promise<void>;
  /** @param platform of an image that exists for several; null: the engine's own */
  pull(reference: string, platform: string | null, talk: Talk): Promise<void>;
  tag(from: string, to: string): Promise<void>;
  /** Takes one name away from an image that has others: an engine keeps one image for a digest, an index's as well. */
  untag(reference: string): Promise<void>;
  build(build: ImageBuild, talk: Talk): Promise<void>;
  /** Answers the digest of the manifest that the registry now holds. */
  push(reference: string, talk: Talk): Promise<Digest>;
}

export interface Staged {
  readonly digest: Digest;
  /** Bytes of configuration and layers, as the manifest adds them up. */
  readonly size: number;
}

/** A manifest as a registry holds it. */
export interface StagedManifest extends Staged {
  readonly mediaType: string;
  /** Whether it is an index over images. */
  readonly index: boolean;
  /** Size of the manifest itself. */
  readonly bytes: number;
  /** Platforms: of the image by its configuration, or of an index's images. */
  readonly platforms: readonly string[];
}

/** A container registry that is asked, never believed: the digest is taken over the manifest's bytes. */
export interface ImageRegistry {
  find(address: string, repository: string, reference: string, signal: AbortSignal): Promise<Staged | null>;
  /** The same, with what the image's configuration says. */
  read(address: string, repository: string, reference: string, signal: AbortSignal): Promise<StagedManifest | null>;
  /** Puts an index under its digest and under a tag; a registry refuses one whose images it has not. */
  putIndex(address: string, repository: string, tag: string, text: string, signal: AbortSignal): Promise<void>;
}

export interface DebianBase {
  readonly suite: string;
  readonly packages: readonly string[];
  /** OCI platform; null: this machine's own. */
  readonly oci: string | null;
}
/** Debian packages laid over a base, each set as a layer of its own. */
export interface DebianLayers {
  /** Whether packages can be installed inside a base of this platform. */
  fit(base: DebianBase): boolean;
  /** A Dockerfile that installs the base's packages on an image of the same suite. */
  dockerfile(base: DebianBase, on: string): string;
  /** Why installing failed, from its last lines. */
  whyFailed(suite: string, lines: readonly string[]): Problem;
}
/** Root file systems of Debian, made where no hub is reached and kept for the next run. */
export interface BaseTars {
  /** Changes when the file system would: suite, packages, recipe and the host's CA bundle. */
  key(base: DebianBase, env: Readonly<Record<string, string>>): Promise<string>;
  /** Path of the tar: from the cache, or made now. */
  make(base: DebianBase, env: Readonly<Record<string, string>>, talk: Talk): Promise<string>;
  /** Absent: each base is made whole. */
  readonly layers?: DebianLayers;
}

/** Images as a target has published them. */
export interface PublishedImages {
  /** Digest behind a tag, null where there is none. */
  digestOf(from: Connection, tag: string, session: Session): Promise<Digest | null>;
  /** Copies an image, or an index with its images, into a repository of staging, by digest. */
  bring(from: Connection, digest: Digest, repository: string, session: Session): Promise<void>;
}

export interface ImagePorts {
  readonly published: PublishedImages;
  readonly engine: ImageEngine;
  readonly registry: ImageRegistry;
  readonly bases: BaseTars;
  readonly archives: Archives;
}
