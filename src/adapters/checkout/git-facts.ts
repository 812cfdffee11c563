import { realpath } from 'node:fs/promises';
import { relative } from 'node:path';
import type { CheckoutGit } from '../../model/checkout.js';
import { NoRepository, type Repository, withRepository } from '../git/index.js';

const MOST_TAGS = 50;

/** Returns facts of the repository that holds a folder. Null if none does. Executes nothing of the repository. */
export const readGitFacts = (folder: string): Promise<CheckoutGit | null> =>
  withRepository(folder, async (repository) =>
    repository.top === null ? null : factsOf(repository, repository.top, folder),
  ).catch((error: unknown) => {
    if (error instanceof NoRepository) return null;
    throw error;
  });

async function factsOf(repository: Repository, top: string, folder: string): Promise<CheckoutGit> {
  const ask = (...args: readonly string[]): Promise<string> =>
    repository.ask(...args).then(
      (text) => text.trim(),
      () => '',
    );
  const [commit, tags, remote, real, root] = await Promise.all([
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
    repository.setting('remote.origin.url'),
    realpath(folder),
    realpath(top),
  ]);
  return {
    folder: relative(root, real),
    hasCommit: commit !== '',
    tags: tags.split('\n').filter((tag) => tag !== ''),
    remote,
  };
}
