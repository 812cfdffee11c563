import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Body } from '../../work.js';
import { withGpg } from './gpg.js';

/** The key can be had and signs, before a minute is spent on building what it is for. */
export const createProveKey = (): Body<'proveKey'> =>
  async function proveKey(work) {
    return withGpg(work, async (gpg) => {
      const path = join(work.folder, 'proof');
      await writeFile(path, 'a proof\n');
      await gpg.sign(path, `${path}.asc`);
      await gpg.verify(path, `${path}.asc`);
      return { artifacts: [], facts: { fingerprint: gpg.fingerprint }, note: `signs as ${gpg.fingerprint.slice(-16)}` };
    });
  };
