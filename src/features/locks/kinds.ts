import type { FeatureKinds } from '../../model/feature-kinds.js';

/** Locks: hashed sets of versions for each Python and platform, and their comparison with the source. */
export const locks = {
  kinds: {
    compileLock: {
      ...{ stage: 'deps', doing: 'locking dependencies', cache: 'pure', changes: 'folder', limitMs: 900_000, epoch: 1 },
      ...{ ids: 'deps', runs: 'project', ships: null, origin: 'ours', policy: 'secrets', reaches: false, services: [] },
      ...{ test: 'no', waits: 'no', wantsAll: false, idle: 'never', helps: false, envSecrets: false },
    },
  },
  ids: { deps: { signedBy: 'worker', makes: 'other' } },
  stages: { deps: { after: 'prove' } },
} as const satisfies FeatureKinds;
