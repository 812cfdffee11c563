import type { FeatureCli } from '../../cli/feature.js';

export const locks: FeatureCli = {
  commands: [
    {
      after: 'cache',
      spec: {
        name: 'deps',
        summary: 'compare the locks that a run made with the working tree (exit 1 if one differs), or write them there',
        arguments: [
          { name: '<action>', help: 'check: print what differs. write: put the locks into the working tree' },
          {
            name: '[file]',
            help: 'release file or its folder: its `source.git` is the working tree (default: slipway.yaml)',
          },
        ],
        options: [
          { flags: '--run <run>', help: 'name, workflow id or first digits of a run id (default: the newest)' },
        ],
        run: async (...asked) => (await import('./node/deps.js')).deps(...asked),
      },
    },
  ],
};
