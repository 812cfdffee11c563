import { type Digest, hexOf } from '../../../model/digest.js';

/** Result of a scan of a file. A file without a licence has null. */
export interface Scanned {
  readonly file: string;
  readonly licence: string | null;
}

/** Record of the file with this digest. */
export const scannedRecord = (digest: Digest): string => `scanned/${hexOf(digest)}`;

/** Returns the licence that a text names: https://spdx.dev/learn/handling-license-info/ */
export const licenceIn = (text: string): string | null => /SPDX-License-Identifier: (\S+)/.exec(text)?.[1] ?? null;
