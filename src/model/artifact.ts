import type { Digest } from './digest.js';
import type { TargetKind } from './target.js';

export const ARTIFACT_KINDS = [
  'source', // a source tree as one tar
  'sdist',
  'tree', // a prepared source tree as one tar
  'lock',
  'wheel',
  'jar', // .jar or .pom of a Maven release; labels: groupId artifactId version classifier? extension
  'image', // lives in the staging registry; digest = its manifest's; labels: repository
  'manifest',
  'file', // test results, reports, outputs of `steps:`
] as const;
export type ArtifactKind = (typeof ARTIFACT_KINDS)[number];

/** Bytes with a digest, a name and labels. Every kind but `image` is in the store under its digest. */
export interface Artifact {
  readonly digest: Digest;
  readonly kind: ArtifactKind;
  /** File name as published, without folders; for an image its project name. */
  readonly name: string;
  /** Bytes; for an image the size its manifest adds up to, 0 where unknown. */
  readonly size: number;
  /** Axis values (python, platform …) and what the kind asks for. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Kinds of artifacts that a target takes, in the order in which they go out. */
export const TAKEN: Readonly<Record<TargetKind, readonly ArtifactKind[]>> = {
  python: ['wheel', 'sdist'],
  maven: ['jar'],
  oci: ['image'],
  command: ['wheel', 'sdist', 'jar', 'file'],
  s3: ['wheel', 'sdist', 'jar', 'file'],
  central: ['jar'],
  'git-tag': ['source'],
};
