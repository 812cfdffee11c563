import { realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { fail } from '../../model/failure.js';
import { gitSourceOf, namedGitSources } from '../../plan/git-source.js';
import { findRepository } from '../git/find.js';
import { measureBundle } from './bundle.js';
import { problems } from './errors.js';
import { assertFolderIsOurs, assertIsOurs } from './ownership.js';
import { parsedRelease } from './parsed-release.js';
import { readReleaseText } from './release-text.js';

/** Parts of a git directory that determine a commit. */
const GIT_PARTS = ['HEAD', 'config', 'objects', 'refs'];

/** Returns the real path of a release file that a workflow's input names. Anybody who reaches the Temporal server
 * can write such an input. Throws RELEASE_FILE_OUTSIDE, RELEASE_FILE_NOT_OWNED or RELEASE_FILE_WRITABLE. */
export async function allowedFile(file: string, roots: readonly string[]): Promise<string> {
  const real = await realpath(file).catch(() => null);
  const allowed = await realRoots(roots);
  // An absent file outside gets the same refusal: the answer must not reveal which files exist elsewhere.
  const isBelow = (path: string): boolean => allowed.some((root) => path === root || path.startsWith(withSlash(root)));
  if (!isBelow(real ?? resolve(file))) throw fail(problems.outsideRoots(file, roots));
  if (real === null) throw fail(problems.noReleaseFile(file));
  const path = (await stat(real)).isDirectory() ? join(real, 'slipway.yaml') : real;
  await assertFolderIsOurs(dirname(path));
  await assertIsOurs(path);
  await assertBundleIsOurs(path);
  await assertSourcesAreOurs(path);
  return path;
}

const withSlash = (folder: string): string => (folder.endsWith(sep) ? folder : folder + sep);

async function realRoots(roots: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(roots.map((root) => realpath(root).catch(() => null)));
  return found.filter((root) => root !== null);
}

async function assertBundleIsOurs(file: string): Promise<void> {
  const folder = dirname(file);
  const files = (await measureBundle(folder, file)).map(({ path }) => path);
  const folders = new Set(files.flatMap(foldersOf));
  for (const path of [...folders, ...files]) await assertIsOurs(join(folder, path));
}

/** `a/b/c` is in `a/b` and in `a`. */
const foldersOf = (path: string): readonly string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, at, parts) => parts.slice(0, at + 1).join('/'));

/** Checks the git parts of every source. Planning itself reports a path that is no repository. */
async function assertSourcesAreOurs(file: string): Promise<void> {
  const read = await readReleaseText(file, '/');
  const { content } = parsedRelease(read);
  const main = gitSourceOf(content);
  const paths = [...(main === null ? [] : [main.git]), ...namedGitSources(content).map(({ source }) => source.git)];
  for (const path of new Set(paths)) await assertRepositoryIsOurs(resolve(read.folder, path));
}

async function assertRepositoryIsOurs(path: string): Promise<void> {
  const found = await findRepository(path);
  for (const folder of new Set(found === null ? [] : [found.folder, found.common])) {
    const real = await realpath(folder);
    await assertFolderIsOurs(real);
    for (const part of GIT_PARTS) await assertIsOurs(join(real, part));
  }
}
