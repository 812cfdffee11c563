import { realpath } from 'node:fs/promises';
import { relative } from 'node:path';
import type { CheckoutGit } from '../../model/checkout.js';
import { git } from '../facts/git.js';

const MOST_TAGS = 50;

/** Facts of the repository that holds a folder. Null if none does. Only commands that run no program of the repository. */
export async function readGitFacts(folder: string): Promise<CheckoutGit | null> {
  const ask = (...args: readonly string[]): Promise<string | null> =>
    git(folder, '-c', 'safe.bareRepository=explicit', ...args).then(
      (text) => text.trim(),
      () => null,
    );
  const top = await ask('rev-parse', '--show-toplevel');
  if (top === null || top === '') return null;
  const [commit, tags, remote, real] = await Promise.all([
    ask('rev-parse', '--verify', '--quiet', 'HEAD^{commit}'),
    ask(
      'for-each-ref',
      '--merged=HEAD',
      '--sort=-version:refname',
      '--sort=-creatordate',
      `--count=${MOST_TAGS}`,
      '--format=%(refname:strip=2)',
      'refs/tags',
    ),
    ask('config', '--local', '--get', 'remote.origin.url'),
    realpath(folder),
  ]);
  return {
    folder: relative(top, real),
    hasCommit: commit !== null && commit !== '',
    tags: (tags ?? '').split('\n').filter((tag) => tag !== ''),
    remote: remote === null || remote === '' ? null : remote,
  };
}
