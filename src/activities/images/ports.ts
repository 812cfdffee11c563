import type { Problem } from '../../model/failure.js';
import type { Digest } from '../../model/digest.js';
import type { Connection, Session } from '../publish/ports.js';
import type { Archives } from '../source/ports.js';
import type { ImageContainers } from '../tests/ports.js';

/** Log and abort signal of a request to the engine. An abort also stops the engine's work. */
export interface Talk {
  /** The caller awaits the promise, which bounds its memory. */
  readonly log: (text: string) => void | Promise<void>;
  readonly signal: AbortSignal;
}

export interface ImageBuild {
  readonly context: string;
  /** Path of the Dockerfile, relative to the context. */
  readonly dockerfile: string;
  /** `repository:tag` in the engine. */
  readonly reference: string;
  readonly args: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  /** Seconds since 1970: mtime of every file in the context. */
  readonly epoch: number;
  /** OCI platform; null is the engine's own. */
  readonly platform: string | null;
  /** True gives RUN instructions the host's network, false none. */
  readonly network: boolean;
}

export interface ImportedImage {
  readonly reference: string;
  readonly labels: Readonly<Record<string, string>>;
  /** OCI platform; null is the engine's own. */
  readonly platform: string | null;
}

/** A container engine. References are `repository:tag` or `repository@sha256:…`. */
export interface ImageEngine {
  has(reference: string, signal: AbortSignal): Promise<boolean>;
  importTar(tar: string, image: ImportedImage, talk: Talk): Promise<void>;
  /** @param platform picks an image of an index; null is the engine's own */
  pull(reference: string, platform: string | null, talk: Talk): Promise<void>;
  /** Pulls an image if the engine lacks it. */
  pullIfMissing(reference: string, platform: string | null, talk: Talk): Promise<void>;
  tag(from: string, to: string): Promise<void>;
  /** Removes one name of an image that has others. The engine keeps a single image per digest, also for an index. */
  untag(reference: string): Promise<void>;
  build(build: ImageBuild, talk: Talk): Promise<void>;
  /** Returns the digest of the manifest that the registry now holds. */
  push(reference: string, talk: Talk): Promise<Digest>;
}

export interface Staged {
  readonly digest: Digest;
  /** Bytes of configuration and layers, by the manifest. */
  readonly size: number;
}

export interface StagedManifest extends Staged {
  readonly mediaType: string;
  readonly index: boolean;
  /** Size of the manifest itself, in bytes. */
  readonly bytes: number;
  /** Platform in the image's configuration, or platforms of the index's images. */
  readonly platforms: readonly string[];
}

/** A container registry. Its answers are not trusted: digests are computed over the manifest's bytes. */
export interface ImageRegistry {
  find(address: string, repository: string, reference: string, signal: AbortSignal): Promise<Staged | null>;
  /** Returns the manifest with the platforms of its configuration. Null if there is none. */
  read(address: string, repository: string, reference: string, signal: AbortSignal): Promise<StagedManifest | null>;
  /** Puts an index under its digest and a tag. A registry refuses an index if it lacks one of the images. */
  putIndex(address: string, repository: string, tag: string, text: string, signal: AbortSignal): Promise<void>;
}

export interface DebianBase {
  readonly suite: string;
  readonly packages: readonly string[];
  /** OCI platform; null is this machine's own. */
  readonly oci: string | null;
  /** First day of the period that it is made for. Absent: it is made once. */
  readonly since?: string;
}
export interface DebianLayers {
  /** True if packages can be installed inside a base of this platform. */
  fit(base: DebianBase): boolean;
  dockerfile(base: DebianBase, on: string): string;
  whyFailed(suite: string, lines: readonly string[]): Problem;
}
/** Debian root file systems, built without a registry and cached. */
export interface BaseTars {
  /** Changes with the file system: suite, packages, recipe and the host's CA bundle. */
  key(base: DebianBase, env: Readonly<Record<string, string>>): Promise<string>;
  make(base: DebianBase, env: Readonly<Record<string, string>>, talk: Talk): Promise<string>;
  /** If absent, each base is one layer. */
  readonly layers?: DebianLayers;
}

export interface PublishedImages {
  /** Returns the digest of a tag. Null if the tag does not exist. */
  digestOf(from: Connection, tag: string, session: Session): Promise<Digest | null>;
  /** Copies an image, or an index with its images, to a repository in staging, by digest. */
  bring(from: Connection, digest: Digest, repository: string, session: Session): Promise<void>;
}

export interface ImagePorts {
  readonly published: PublishedImages;
  readonly engine: ImageEngine;
  readonly registry: ImageRegistry;
  readonly bases: BaseTars;
  readonly archives: Archives;
  /** Reads what a base offers. Null or absent: nothing is recorded. */
  readonly containers?: ImageContainers | null;
}
