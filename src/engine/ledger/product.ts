import type { Artifact, ArtifactKind } from '../../model/artifact.js';

const PRODUCTS: ReadonlySet<ArtifactKind> = new Set(['sdist', 'wheel', 'jar', 'image']);

/** Returns whether an artifact may be published. Others are evidence, or only pass from step to step. */
export const isProduct = ({ kind }: Pick<Artifact, 'kind'>): boolean => PRODUCTS.has(kind);
