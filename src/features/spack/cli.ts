import type { FeatureCli } from '../../cli/feature.js';

export const spack: FeatureCli = {
  fields: async (...asked) => (await import('./pure/lock-fields.js')).lockFields(...asked),
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
    {
      after: 'env',
      spec: {
        name: 'export',
        summary: 'print a Spack environment of a release file as a pipeline of GitLab, without Spack',
        arguments: [
          { name: '<format>', help: 'gitlab: the text of a .gitlab-ci.yml' },
          { name: '[file]', help: 'release file or its folder (default: slipway.yaml)' },
        ],
        options: [
          { flags: '--like <version>', help: 'the Spack whose pipeline it is like: 1.2', default: '1.2' },
          { flags: '--environment <name>', help: 'key of the environment, where the file has several' },
          { flags: '--profile <name>', help: 'addresses and credentials behind the targets', default: 'local' },
        ],
        run: async (...asked) => (await import('./node/export-gitlab.js')).exportGitlab(...asked),
      },
    },
  ],
};
