import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Body } from '../../work.js';
import { withGpg } from './gpg.js';

/** Signs and verifies a test file before the build starts, so that a missing or wrong key fails early. */
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
