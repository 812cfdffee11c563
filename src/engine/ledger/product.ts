import type { Artifact, ArtifactKind } from '../../model/artifact.js';

const PRODUCTS: ReadonlySet<ArtifactKind> = new Set(['sdist', 'wheel', 'jar', 'image']);

/** What may be published; all else is evidence, or only passed from step to step. */
export const isProduct = ({ kind }: Pick<Artifact, 'kind'>): boolean => PRODUCTS.has(kind);
