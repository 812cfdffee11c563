import type { FeatureNode } from '../../workers/feature.js';
import { createBuildSpec } from './node/build-spec.js';
import { knownPasses } from './node/known-passes.js';
import { createProveSpecs } from './node/prove-specs.js';

export const spack = {
  ended: knownPasses,
  bodies: ({ around, containers }) => ({
    ...{ buildSpec: createBuildSpec(around, containers), proveSpecs: createProveSpecs(around) },
  }),
} satisfies FeatureNode<'spack'>;
