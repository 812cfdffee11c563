import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { home } from '../../adapters/home.js';
import type { Ports } from '../ports.js';
import type { IndexHere } from './open-check.js';

type Shared = Pick<IndexHere, 'store' | 'writer' | 'address'>;

/** Ports of `slipway cache`. Each is loaded on first use. */
export const openCache = (shared: Shared): Pick<Ports, 'runsOf' | 'indexes'> => ({
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
    return openIndexes(file, profile, { open, ...shared, mending });
  },
});
