import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Digest of the compiled code under a folder, which identifies what a process runs. */
function codeDigest(folders: readonly string[], more = ''): string {
  const hash = createHash('sha256').update(more);
  for (const folder of folders) {
    for (const file of scripts(folder)) hash.update(`${file}\n`).update(readFileSync(join(folder, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

const { version: SDK } = require('@temporalio/worker/package.json') as { readonly version: string };

/** Digest of the code that workflows run, or decide by, and of the version of the SDK that replays it.
 * @param dist folder of the compiled code */
export const workflowsDigest = (dist: string): string =>
  codeDigest(
    ['model', 'engine', 'features', 'workflows'].map((room) => join(dist, room)),
    SDK,
  );
export const buildDigest = (root: string): string => codeDigest([join(root, 'dist')]);
export const supervisorDigest = (root: string): string => codeDigest([join(root, 'dist', 'services')]);

function scripts(folder: string): readonly string[] {
  try {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return files.filter((file) => file.endsWith('.js')).sort();
  } catch {
    return [];
  }
}
