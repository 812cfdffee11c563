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
  ids: { specs: { signedBy: 'worker', makes: 'files', hashed: true } },
  stages: { specs: { after: 'images' } },
} as const satisfies FeatureKinds;
