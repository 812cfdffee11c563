import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { newHome } from '../../support/run-body.js';

type Files = Readonly<Record<string, string>>;
const WHO = ['-c', 'user.name=ann', '-c', 'user.email=ann@example.org', '-c', 'init.defaultBranch=main'];

export const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-C', folder, ...WHO, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** A folder of this name with these files. */
export async function aFolder(files: Files, name = 'skiff'): Promise<string> {
  const folder = join(await newHome(), name);
  await mkdir(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

/** The same, committed. */
export async function aCheckout(
  files: Files,
  { tags = [] as readonly string[], name = 'skiff' } = {},
): Promise<string> {
  const folder = await aFolder(files, name);
  git(folder, 'init', '-q');
  git(folder, 'add', '--all', '--force');
  git(folder, 'commit', '-q', '-m', 'first');
  for (const tag of tags) git(folder, 'tag', tag);
  return folder;
}
