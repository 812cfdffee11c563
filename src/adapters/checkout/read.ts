import { readFile, stat, realpath, readdir } from 'node:fs/promises';
import { basename, join, resolve, relative } from 'node:path';
import { fail, SlipwayFailure } from '../../model/failure.js';
import type { Checkout, CheckoutGit } from '../../model/checkout.js';
import { measureBundle } from '../facts/bundle.js';
import { suitesIn } from '../facts/suites.js';
import { MARKS } from '../../plan/init/find.js';
import { NoRepository, type Repository, withRepository } from '../git/index.js';
import { folderAbsent } from './errors.js';
import { LONGEST_BYTES, withToml } from './texts.js';

const DEEPEST = 4;
const MOST_FILES = 5_000;

/** Folders without releasable projects: state, build output, third-party code, tests. */
const LEFT_OUT =
  /^(\..*|node_modules|build|dist|target|venv|env|__pycache__|tests?|testing|docs?|examples?|samples?|benchmarks?|third[_-]?party|vendor|extern|external|subprojects)$/;

const MOST_TAGS = 50;

/** Files that describe a project. */
export const TELLING =
  /(^|\/)(pyproject\.toml|Cargo\.toml|setup\.py|setup\.cfg|pom\.xml|Dockerfile|PKG-INFO|VERSION|__init__\.py|_?version\.py|__about__\.py)$/;
export const MOST_READ = 300;

/** Reads facts of a folder as text; executes nothing of it. Throws INIT_FOLDER_ABSENT. */
export async function readCheckout(named: string, cwd: string): Promise<Checkout> {
  const folder = resolve(cwd, named);
  if (!(await stat(folder).catch(() => null))?.isDirectory()) throw fail(folderAbsent(named));
  const [paths, fitsBundle] = await Promise.all([listFiles(folder), fits(folder)]);
  const git = await readGitFacts(folder, foldersOf(paths));
  const texts = await readTexts(folder, paths);
  return { name: basename(folder), git, paths, ...withToml(texts), fitsBundle };
}

async function readTexts(folder: string, paths: readonly string[]): Promise<Record<string, string>> {
  const telling = paths.filter((path) => TELLING.test(path)).slice(0, MOST_READ);
  const read = telling.map(async (path) => {
    const file = join(folder, path);
    const { size } = await stat(file);
    return [path, size > LONGEST_BYTES ? null : await readFile(file, 'utf8')] as const;
  });
  const texts = await Promise.all(read.map((one) => one.catch(() => null)));
  return Object.fromEntries(texts.flatMap((one) => (one === null || one[1] === null ? [] : [[one[0], one[1]]])));
}

const fits = (folder: string): Promise<boolean> =>
  measureBundle(folder, '.').then(
    () => true,
    (error: unknown) => {
      if (error instanceof SlipwayFailure) return false;
      throw error;
    },
  );

/** Returns facts of the repository that holds a folder. Null if none does. Executes nothing of the repository. */
const readGitFacts = (folder: string, projects: readonly string[]): Promise<CheckoutGit | null> =>
  withRepository(folder, async (repository) =>
    repository.top === null ? null : factsOf(repository, repository.top, folder, projects),
  ).catch((error: unknown) => {
    if (error instanceof NoRepository) return null;
    throw error;
  });

async function factsOf(
  repository: Repository,
  top: string,
  folder: string,
  projects: readonly string[],
): Promise<CheckoutGit> {
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
  const below = relative(root, real);
  const tree = commit && (await ask('rev-parse', '--verify', '--quiet', `${commit}:${below && `${below}/`}`));
  return {
    folder: below,
    hasCommit: commit !== '',
    tags: tags.split('\n').filter((tag) => tag !== ''),
    remote,
    suites: tree === '' ? {} : await suitesIn(repository, `${tree}:`, projects),
  };
}

/** Returns the folders of projects, the nearest first. Their names are to be words of a shell. */
const foldersOf = (paths: readonly string[]): readonly string[] =>
  [...new Set(paths.filter((path) => MARKS.test(path)).map((path) => path.replace(/\/?[^/]*$/, '')))]
    .filter((folder) => /^[\w./-]*$/.test(folder))
    .sort((a, b) => a.length - b.length);

/** Returns paths of regular files below a folder, sorted. Past MOST_FILES the nearest levels win. Links are not
 * followed. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  let level: readonly string[] = [''];
  for (let depth = 0; depth <= DEEPEST && found.length < MOST_FILES; depth += 1) {
    const read = await Promise.all(level.map((below) => entries(folder, below)));
    found.push(...read.flatMap(({ files }) => files));
    level = read.flatMap(({ folders }) => folders);
  }
  return found.slice(0, MOST_FILES).sort();
}

async function entries(folder: string, below: string): Promise<{ files: string[]; folders: string[] }> {
  const all = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
  const path = (name: string): string => (below === '' ? name : `${below}/${name}`);
  return {
    files: all.filter((entry) => entry.isFile()).map(({ name }) => path(name)),
    folders: all.filter((entry) => entry.isDirectory() && !LEFT_OUT.test(entry.name)).map(({ name }) => path(name)),
  };
}
