import type { FeatureCli } from '../../cli/feature.js';

export const spack: FeatureCli = {
  commands: [
    {
      after: 'deps',
      spec: {
        name: 'env',
        summary: 'lock the Spack environments of a release file again, from its working tree',
        arguments: [
          { name: '<action>', help: 'lock: concretize with the Spack of SLIPWAY_SPACK, and write spack.lock' },
          { name: '[file]', help: 'release file or its folder (default: slipway.yaml)' },
        ],
        run: async (...asked) => (await import('./node/lock-environments.js')).lockEnvironments(...asked),
      },
    },
  ],
};
