import type { FeatureNode } from '../../workers/feature.js';
import { createBuildSpec } from './node/build-spec.js';
import { createProveSpecs } from './node/prove-specs.js';

export const spack = {
  bodies: ({ around }) => ({ buildSpec: createBuildSpec(around), proveSpecs: createProveSpecs(around) }),
} satisfies FeatureNode<'spack'>;
