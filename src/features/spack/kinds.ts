import type { FeatureKinds } from '../../model/feature-kinds.js';

const OWN = { ships: null, origin: 'ours', policy: 'secrets', services: [], envSecrets: false } as const;

/** Spack environments: each concrete spec of a lock is a step, which Spack builds in the sandbox. */
export const spack = {
  kinds: {
    proveSpecs: {
      ...{ stage: 'prove', doing: 'proving recipes', cache: 'probe', changes: 'folder', limitMs: 1_800_000, epoch: 1 },
      ...{ ids: 'prove', runs: 'project', test: 'no', waits: 'no', wantsAll: false, idle: 'no builds', helps: false },
      ...{ ...OWN, reaches: false },
    },
    buildSpec: {
      ...{ stage: 'specs', doing: 'building spec', cache: 'pure', changes: 'folder', limitMs: 7_200_000, epoch: 1 },
      ...{ ids: 'specs', runs: 'compiler', test: 'no', waits: 'no', wantsAll: false, idle: 'never', helps: false },
      ...{ ...OWN, reaches: false },
    },
  },
  tools: {
    /** A checkout, then folders of recipes and of sources. */
    spack: {
      variables: ['SLIPWAY_SPACK', 'SLIPWAY_SPACK_REPOS', 'SLIPWAY_SPACK_SOURCES'],
      absent(queue, kinds) {
        const specs = kinds.filter((one) => one === 'buildSpec').length;
        return {
          code: 'SPACK_ABSENT',
          class: 'config',
          message: `workers of ${queue} have no Spack, and ${specs} ${specs === 1 ? 'spec' : 'specs'} would be built there`,
          next: 'Set SLIPWAY_SPACK to a checkout of Spack 1.0 or newer, then start the workers again: `slipway up`, or `slipway worker start`.',
        };
      },
    },
  },
  ids: { specs: { signedBy: 'worker', makes: 'files', hashed: true } },
  stages: { specs: { after: 'images' } },
} as const satisfies FeatureKinds;
