import { realpath, stat } from 'node:fs/promises';
import { basename, relative, resolve } from 'node:path';
import { fail, SlipwayFailure } from '../../model/failure.js';
import type { Checkout } from '../../model/checkout.js';
import { measureBundle } from '../facts/bundle.js';
import { NoRepository, type Repository, withRepository } from '../git/index.js';
import { isLeftOut } from '../../plan/init/lookup.js';
import { committedFiles } from './committed.js';
import { folderAbsent } from './errors.js';

const MOST_TAGS = 50;
const NO_FILES = { paths: [], texts: {}, toml: {}, broken: [] };

/** Reads facts of a folder and its commit as text; executes nothing of it. Throws INIT_FOLDER_ABSENT. */
export async function readCheckout(named: string, cwd: string): Promise<Checkout> {
  const folder = resolve(cwd, named);
  if (!(await stat(folder).catch(() => null))?.isDirectory()) throw fail(folderAbsent(named));
  const found = await withRepository(folder, async (repository) =>
    repository.top === null ? null : factsOf(repository, repository.top, folder),
  ).catch((error: unknown) => {
    if (error instanceof NoRepository) return null;
    throw error;
  });
  return { name: basename(folder), ...(found ?? { git: null, ...NO_FILES }), fitsBundle: await fits(folder) };
}

const fits = (folder: string): Promise<boolean> =>
  measureBundle(folder, '.').then(
    () => true,
    (error: unknown) => {
      if (error instanceof SlipwayFailure) return false;
      throw error;
    },
  );

/** Returns facts of the repository that holds a folder. */
async function factsOf(
  repository: Repository,
  top: string,
  folder: string,
): Promise<Omit<Checkout, 'name' | 'fitsBundle'>> {
  const ask = (...args: readonly string[]): Promise<string> =>
    repository.ask(...args).then(
      (text) => text.trim(),
      () => '',
    );
  const sorted = ['--sort=-version:refname', '--sort=-creatordate', `--count=${MOST_TAGS}`];
  const [commit, tags, remote, real, root] = await Promise.all([
    ask('rev-parse', '--verify', '--quiet', 'HEAD^{commit}'),
    ask('for-each-ref', '--merged=HEAD', ...sorted, '--format=%(refname:strip=2)', 'refs/tags'),
    repository.setting('remote.origin.url'),
    realpath(folder),
    realpath(top),
  ]);
  const below = relative(root, real);
  const tree = commit && (await ask('rev-parse', '--verify', '--quiet', `${commit}:${below && `${below}/`}`));
  return {
    git: { folder: below, hasCommit: commit !== '', tags: tags.split('\n').filter(Boolean), remote },
    ...(tree === '' ? NO_FILES : await committedFiles(repository, `${tree}:`, (path) => !isLeftOut(path))),
  };
}
