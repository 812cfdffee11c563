import type { Digest } from '../../model/digest.js';
import type { FeatureNode } from '../../workers/feature.js';
import { checkApproved, readApproved } from './node/approved.js';
import { scanFiles } from './node/scan-files.js';
import { openShelf } from './node/shelf.js';
import { type Scanned, scannedRecord } from './pure/scan.js';

export const sample = {
  bodies: () => ({ scanFiles }),
  answers: ({ home }) => ({ approved: async () => ({ all: await readApproved(home) }) }),
  targets: { shelf: openShelf },
  activities: {
    control: ({ store }) => ({ readScan: (digest: Digest) => store.read<Scanned>(scannedRecord(digest)) }),
  },
  doctor: [checkApproved],
} satisfies FeatureNode<'sample'>;
