import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { foldersAt } from '../../model/shell-variables.js';
import { mustPass, type Verify } from './pass.js';

/** Runs the line of the release file in an empty folder. Nothing installs from these kinds of target, and the bytes
 * were compared before. */
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
