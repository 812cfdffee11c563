import type { Artifact, ArtifactKind } from '../../model/artifact.js';

const PRODUCTS: ReadonlySet<ArtifactKind> = new Set(['sdist', 'wheel', 'jar', 'image']);

/** Whether an artifact may be published. Others are evidence, or only inputs of other steps. */
export const isProduct = ({ kind }: Pick<Artifact, 'kind'>): boolean => PRODUCTS.has(kind);
