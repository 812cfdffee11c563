import type { IndexedWheel, PruneFacts } from '../../../../src/engine/index/prune/judge.js';
import type { WantedWheel } from '../../../../src/engine/index/prune/wants.js';
import { NO_USE } from '../../../../src/model/index-use.js';
import type { IndexEntry } from '../../../../src/model/python/index-entry.js';
import { anEntry } from '../an-entry.js';

export const DAY_MS = 86_400_000;
export const NOW = '2026-11-23T03:00:00.000Z';
export const NOW_MS = Date.parse(NOW);
export const ago = (days: number): string => new Date(NOW_MS - days * DAY_MS).toISOString();

export const PLATFORM = 'debian-12';
export const wheelFile = (version = '1.0', build = ''): string =>
  `boat-${version}${build}-cp311-cp311-linux_x86_64.whl`;

/** A wheel of 200 days, published by this pipeline. */
export const indexed = (
  file: string,
  more: Partial<IndexEntry> & Partial<Omit<IndexedWheel, 'wheel'>> = {},
): IndexedWheel => {
  const { platform = PLATFORM, isThere = true, ...entry } = more;
  return { platform, isThere, wheel: anEntry(file, { uploadTime: ago(200), ...entry }) };
};

export const want = (verdict: string, more: Partial<WantedWheel> = {}): WantedWheel => ({
  ...{ project: 'boat', version: '1.0', platform: PLATFORM, python: 'cp311', verdict },
  reason: verdict === 'upstream' ? 'boat-1.0-cp311-cp311-manylinux_2_28_x86_64.whl' : '',
  ...more,
});

/** Access logs of the last 100 days, and nothing else. */
export const facts = (more: Partial<PruneFacts> = {}): PruneFacts => ({
  wheels: [indexed(wheelFile())],
  wants: [],
  platforms: { [PLATFORM]: { arch: 'x86_64', glibc: '2.36', until: null } },
  use: { ...NO_USE, read: [{ from: ago(100), to: ago(0) }] },
  rules: { unusedMs: 90 * DAY_MS, graceMs: 7 * DAY_MS, pastMs: 180 * DAY_MS },
  pipeline: 'distro-wheels',
  own: new Set(),
  refreshes: {},
  damaged: {},
  nowMs: NOW_MS,
  ...more,
});
