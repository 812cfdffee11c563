import { short, type Digest } from '../../model/digest.js';
import type { Problem } from '../../model/failure.js';
import type { Finding } from '../../model/finding.js';
import type { Gone } from '../../model/python/index-entry.js';

export const indexRestless = (platform: string, rounds: number): Problem => ({
  code: 'INDEX_RESTLESS',
  class: 'infra',
  message: `the index of ${platform} changed during each of ${rounds} drawings of its pages`,
  next: 'Find who else writes into its folder or bucket. The step tries again by itself.',
});

export const metadataAbsent = (file: string): Problem => ({
  code: 'WHEEL_METADATA_ABSENT',
  class: 'product',
  message: `${file} has no METADATA in its .dist-info folder, so no installer can read it`,
  next: 'Let a build backend make the wheel, then start the run again.',
});

export const metadataTwice = (file: string): Problem => ({
  code: 'WHEEL_METADATA_TWICE',
  class: 'product',
  message: `${file} has several .dist-info folders with METADATA, and pip refuses it`,
  next: 'Let a build backend make the wheel, then start the run again.',
});

export const metadataTooLong = (file: string, mostBytes: number): Problem => ({
  code: 'WHEEL_METADATA_TOO_LONG',
  class: 'product',
  message: `${file} has METADATA of more than ${mostBytes >> 20} MiB, and every installer downloads it`,
  next: 'Shorten the project description in its source, then start the run again.',
});

export const metadataNotText = (file: string): Problem => ({
  code: 'WHEEL_METADATA_NOT_TEXT',
  class: 'product',
  message: `${file} has METADATA that is not UTF-8, and no installer reads it`,
  next: 'Correct the encoding of the project description in its source, then start the run again.',
});

export const entryOfOthers = (path: string, listed: string, held: string): Problem => ({
  code: 'INDEX_ENTRY_DIFFERS',
  class: 'conflict',
  message: `${path} describes ${short(listed)}, and the index holds ${short(held)} under that name`,
  next: 'Find who changed the folder. Remove the wheel that you do not trust, with its entry, then `slipway retry`.',
});

export const notAnIndex = (what: string): Problem => ({
  code: 'INDEX_STEP_UNKNOWN',
  class: 'config',
  message: `${JSON.stringify(what.slice(0, 100))} does not publish to a static index`,
  next: 'Type `slipway run FILE`: its publish steps ask for the pages of their wheels.',
});

export const removedOther = (path: string, digest: Digest): Finding => ({
  level: 'warning',
  code: 'INDEX_PRUNE_OTHER_BYTES',
  subject: path,
  why: `the review is about ${short(digest)}, and the entry describes other bytes, so the wheel stays`,
  next: 'Find who changed the entry, then make a new review: `slipway cache prune FILE`.',
});

export const stillRemoved = (path: string, { by, because }: Pick<Gone, 'by' | 'because'>): Finding => ({
  level: 'warning',
  code: 'INDEX_WHEEL_REMOVED',
  subject: path,
  why: `${by} removed the wheel (${because}), so it is not listed again`,
  next: 'Remove that record if the wheel may be used again, then publish it: `slipway run FILE`.',
});

export const orderUnknown = (record: string): Problem => ({
  code: 'PRUNE_ORDER_UNKNOWN',
  class: 'config',
  message: `${JSON.stringify(record.slice(0, 200))} is no order to prune an index`,
  next: 'Type `slipway cache prune FILE --apply DIGEST`: it makes the order.',
});

export const orderOld = (record: string, at: string): Problem => ({
  code: 'PRUNE_REVIEW_STALE',
  class: 'config',
  message: `the order ${record} was given at ${at}, and an order counts for an hour`,
  next: 'Type `slipway cache prune FILE`, read the new review, and apply it.',
});

export const gatesBefore = (target: string, gates: readonly string[]): Problem => ({
  code: 'PRUNE_GATED',
  class: 'denied',
  message: `the policy asks for ${gates.join(', ')} before ${target}, and a prune passes no gate`,
  next: "Take `gates` from the target's row of the policy, or remove the wheels by hand.",
});
