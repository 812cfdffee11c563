import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IndexPruner, IndexWriter } from '../../activities/index/ports.js';
import { home } from '../../adapters/home.js';
import type { Features } from '../../activities/plan/ports.js';
import type { Ports } from '../ports.js';
import type { Writing } from './index-opener.js';

/** Ports of `slipway cache`. Each is loaded on first use. */
export const openCache = (
  writing: Writing<IndexWriter & IndexPruner>,
  features: () => Promise<Features>,
): Pick<Ports, 'runsOf' | 'indexes' | 'prune' | 'rebuild'> => ({
  runsOf: async (file, profile) => (await import('../../adapters/facts/runs-of.js')).runsOf(file, profile),
  indexes: async (file, profile) => {
    const [{ openIndexes }, { createArchives }, { indexOpener }] = await Promise.all([
      import('./open-check.js'),
      import('../../adapters/archive/index.js'),
      import('./index-opener.js'),
    ]);
    const scratch = (): Promise<string> => mkdtemp(join(tmpdir(), 'slipway-repair-'));
    const mending = { archives: createArchives(), scratch, now: Date.now };
    const open = indexOpener({ env: process.env, home: home() });
    return openIndexes(file, profile, { open, ...writing, mending });
  },
  prune: async (...asked) => {
    const here = { env: process.env, home: home(), features: await features(), ...writing };
    return (await import('./open-prune.js')).openPrune(...asked, here);
  },
  rebuild: async (file, profile) => {
    const [{ openRebuild }, { remake }] = await Promise.all([
      import('./open-rebuild.js'),
      import('../../services/on-this-terminal.js'),
    ]);
    return openRebuild(file, profile, { ...writing, remake });
  },
});
