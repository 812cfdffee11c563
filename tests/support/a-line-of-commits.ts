import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', ...args], {
    cwd,
    encoding: 'utf8',
  }).trim();

/** Makes a repository of one commit with these files, by path. */
export function aCommitOf(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  git(folder, 'init', '-q');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', 'one');
}

/** A pipeline whose test needs a step. */
export const NIGHT = `slipway: 1
pipeline: { name: night, label: date }
source: { git: .. }
platforms: [linux-x86_64]
steps:
  build: { run: make, outputs: [boat] }
tests:
  sail: { needs: [steps/build], in: host, run: ./sail, expect: ok }
  anchor: { needs: [steps/build], in: host, run: ./anchor, expect: ok }
`;

/** Makes a repository with a line of commits. The file `number` holds the place of each, from 0.
 * @param text of `release/slipway.yaml` @param files of all commits besides */
export function aLineOfCommits(count: number, text = NIGHT, files: Readonly<Record<string, string>> = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'slipway-line-')));
  const file = join(root, 'release', 'slipway.yaml');
  mkdirSync(join(root, 'release'));
  for (const [path, content] of Object.entries({ ...files, 'release/slipway.yaml': text }))
    writeFileSync(join(root, path), content);
  git(root, 'init', '-q', '-b', 'main');
  const commits = Array.from({ length: count }, (_, number) => {
    writeFileSync(join(root, 'number'), String(number));
    git(root, 'add', '.');
    git(root, 'commit', '-q', '-m', String(number));
    return git(root, 'rev-parse', 'HEAD');
  });
  return { root, file, commits };
}
