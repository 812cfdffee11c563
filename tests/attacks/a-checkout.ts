import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newHome } from '../support/run-body.js';

const ME = ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', '-c', 'commit.gpgsign=false'];

export const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', [...ME, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** Writes files below a folder. A text that begins with `#!` becomes a program. */
export function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  }
}

/** A repository with one commit of these files. Returns its real path.
 * @param branch of the commit */
export async function aCheckout(files: Readonly<Record<string, string>>, branch = 'main'): Promise<string> {
  const root = realpathSync(await newHome());
  write(root, files);
  git(root, 'init', '-q');
  git(root, 'symbolic-ref', 'HEAD', `refs/heads/${branch}`);
  git(root, 'add', '.');
  git(root, 'commit', '-q', '-m', 'one');
  return root;
}
