import type { FeatureKinds } from '../../model/feature-kinds.js';

/** Scans: which licence each file of a release names, and whether it may be shipped. */
export const sample = {
  kinds: {
    scanFiles: {
      ...{ stage: 'scans', doing: 'scanning files', cache: 'pure', changes: 'folder', limitMs: 300_000, epoch: 1 },
      ...{ ids: 'scans', runs: 'own', ships: 'files', origin: 'ours', policy: 'secrets', reaches: false, services: [] },
      ...{ test: 'no', waits: 'no', wantsAll: false, idle: 'never', helps: false, envSecrets: false },
    },
  },
  ids: { scans: { signedBy: 'worker', makes: 'evidence' } },
  stages: { scans: { after: 'steps' } },
  /** `scanned/DIGEST`: what a scan found in the file with this digest. */
  records: { scanned: { signer: 'worker' } },
  workflows: { findScan: { ids: ['scans/'], startedBy: ['operator'] } },
  targets: {
    shelf: {
      ...{ takes: ['files'], artifacts: ['file'], sections: 'steps/ and scans/', rank: 0.5, undo: 'delete the file' },
      ...{ publishes: [], verifies: [], installs: false, schemes: [] },
    },
  },
} as const satisfies FeatureKinds;
