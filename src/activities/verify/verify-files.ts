import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { foldersAt } from '../../model/shell-variables.js';
import { mustPass, type Verify } from './pass.js';

/** For kinds that nothing installs from: their bytes were compared already, so only the line is left. It runs in an empty folder. */
export async function verifyFiles(verify: Verify): Promise<string> {
  const { work, to, items } = verify;
  const { run } = work.step.params;
  const compared = `${items.length} compared`;
  if (run === null) return compared;
  const cwd = join(work.folder, 'elsewhere');
  await mkdir(cwd);
  await mustPass(verify, run, cwd, work.env({ ADDRESS: to.address, VERSION: to.version }), {
    access: 'line',
    folders: foldersAt(to.address),
  });
  return `${compared}, then ${run}`;
}
