import type { IndexEntry } from '../../../src/model/python/index-entry.js';

export const digest = (hex: string) => `sha256:${hex.repeat(64).slice(0, 64)}` as const;

/** A valid entry; a test says only what differs. */
export const anEntry = (file: string, more: Partial<IndexEntry> = {}): IndexEntry => ({
  slipway: 1,
  file,
  digest: digest('a'),
  size: 1234,
  requiresPython: null,
  metadata: digest('b'),
  statement: digest('c'),
  uploadTime: '2026-11-22T10:00:00.000000Z',
  from: { source: digest('d'), lock: null, base: null },
  publisher: 'distro-wheels',
  ...more,
});
