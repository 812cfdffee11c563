import { problem } from '../../model/problem.js';
import { short, type Digest } from '../../model/digest.js';
import type { Finding } from '../../model/finding.js';
import type { Gone } from '../../model/python/index-entry.js';

export const indexRestless = problem.infra((platform: string, rounds: number) => [
  'INDEX_RESTLESS',
  `the index of ${platform} changed during each of ${rounds} drawings of its pages`,
  'Find who else writes into its folder or bucket. The step tries again by itself.',
]);
export const metadataAbsent = problem.product((file: string) => [
  'WHEEL_METADATA_ABSENT',
  `${file} has no METADATA in its .dist-info folder, so no installer can read it`,
  'Let a build backend make the wheel, then start the run again.',
]);
export const metadataTwice = problem.product((file: string) => [
  'WHEEL_METADATA_TWICE',
  `${file} has several .dist-info folders with METADATA, and pip refuses it`,
  'Let a build backend make the wheel, then start the run again.',
]);
export const metadataTooLong = problem.product((file: string, mostBytes: number) => [
  'WHEEL_METADATA_TOO_LONG',
  `${file} has METADATA of more than ${mostBytes >> 20} MiB, and every installer downloads it`,
  'Shorten the project description in its source, then start the run again.',
]);
export const metadataNotText = problem.product((file: string) => [
  'WHEEL_METADATA_NOT_TEXT',
  `${file} has METADATA that is not UTF-8, and no installer reads it`,
  'Correct the encoding of the project description in its source, then start the run again.',
]);
export const entryOfOthers = problem.conflict((path: string, listed: string, held: string) => [
  'INDEX_ENTRY_DIFFERS',
  `${path} describes ${short(listed)}, and the index holds ${short(held)} under that name`,
  'Find who changed the folder. Remove the wheel that you do not trust, with its entry, then `slipway retry`.',
]);
export const notAnIndex = problem.config((what: string) => [
  'INDEX_STEP_UNKNOWN',
  `${JSON.stringify(what.slice(0, 100))} does not publish to a static index`,
  'Type `slipway run FILE`: its publish steps ask for the pages of their wheels.',
]);

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

export const orderUnknown = problem.config((record: string) => [
  'PRUNE_ORDER_UNKNOWN',
  `${JSON.stringify(record.slice(0, 200))} is no order to prune an index`,
  'Type `slipway cache prune FILE --apply DIGEST`: it makes the order.',
]);
export const orderOld = problem.config((record: string, at: string) => [
  'PRUNE_REVIEW_STALE',
  `the order ${record} was given at ${at}, and an order counts for an hour`,
  'Type `slipway cache prune FILE`, read the new review, and apply it.',
]);
export const gatesBefore = problem.denied((target: string, gates: readonly string[]) => [
  'PRUNE_GATED',
  `the policy asks for ${gates.join(', ')} before ${target}, and a prune passes no gate`,
  "Take `gates` from the target's row of the policy, or remove the wheels by hand.",
]);
