import type { Digest } from './digest.js';

export const ARTIFACT_KINDS = [
  'source', // a source tree as one tar
  'sdist',
  'tree', // a prepared source tree as one tar
  'lock',
  'buildLock', // what one build was made with; labels: project python platform
  'wheel',
  'jar', // .jar or .pom of a Maven release; labels: groupId artifactId version classifier? extension
  'image', // lives in the staging registry; digest = its manifest's; labels: repository
  'manifest',
  'tool', // a program of `tools:`; on PATH of the steps that name it
  'file', // test results, reports, outputs of `steps:`
] as const;
export type ArtifactKind = (typeof ARTIFACT_KINDS)[number];

/** Bytes with a digest, a name and labels. The store holds every kind but `image` under its digest. */
export interface Artifact {
  readonly digest: Digest;
  readonly kind: ArtifactKind;
  /** File name as published, without folders; for an image its project name. */
  readonly name: string;
  /** Bytes. For an image the sum of its manifest's sizes, 0 if unknown. */
  readonly size: number;
  /** Axis values (python, platform …) and the labels of the kind. */
  readonly labels: Readonly<Record<string, string>>;
}

const PRODUCTS: ReadonlySet<ArtifactKind> = new Set(['sdist', 'wheel', 'jar', 'image']);

/** Whether an artifact may be published. Others are evidence, or only inputs of other steps. */
export const isProduct = ({ kind }: Pick<Artifact, 'kind'>): boolean => PRODUCTS.has(kind);
