import { execFileSync } from 'node:child_process';

/** Makes a folder a repository whose one commit holds all of it. */
export function committed(folder) {
  const git = (...argv) => execFileSync('git', ['-C', folder, '-c', 'user.name=b', '-c', 'user.email=b@b', ...argv]);
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'bench');
}
