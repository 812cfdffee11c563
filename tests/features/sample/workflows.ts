import { proxyActivities } from '@temporalio/workflow';
import type { Digest } from '../../model/digest.js';
import type { Scanned } from './pure/scan.js';

const { readScan } = proxyActivities<{ readScan(digest: Digest): Promise<Scanned | null> }>({
  startToCloseTimeout: '1 minute',
});

/** Returns what earlier scans found in the file with this digest. Null: no scan had it. */
export const findScan = (digest: Digest): Promise<Scanned | null> => readScan(digest);
