import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fail } from '../../model/failure.js';
import { gitSourceOf, namedGitSources } from '../../plan/git-source.js';
import { isAddress, pathIn } from '../git/address.js';
import { findRepository, type FoundRepository } from '../git/find.js';
import { measureBundle } from './bundle.js';
import { problems } from './errors.js';
import { assertFolderIsOurs, assertIsOurs } from './ownership.js';
import { readReleaseText, parsedRelease } from './release-text.js';
import { isBelow, type RootKind } from './roots.js';

/** Parts of a git directory that determine a commit. */
const GIT_PARTS = ['HEAD', 'config', 'objects', 'refs'];

/** Returns the real path of a release file that a workflow's input names. Anybody who reaches the Temporal server
 * can write such an input. Throws RELEASE_FILE_OUTSIDE, REPOSITORY_OUTSIDE, RELEASE_FILE_NOT_OWNED or
 * RELEASE_FILE_WRITABLE. */
export async function allowedFile(file: string, rootsOf: (kind: RootKind) => readonly string[]): Promise<string> {
  const real = await realpath(file).catch(() => null);
  const roots = rootsOf('roots');
  const allowed = await realRoots(roots);
  // An absent file outside gets the same refusal: the answer must not reveal which files exist elsewhere.
  if (!isBelow(real ?? resolve(file), allowed)) throw fail(problems.outsideRoots(file, roots));
  if (real === null) throw fail(problems.noReleaseFile(file));
  const path = (await stat(real)).isDirectory() ? join(real, 'slipway.yaml') : real;
  await assertFolderIsOurs(dirname(path));
  await assertIsOurs(path);
  await assertBundleIsOurs(path);
  for (const repository of await repositoriesOf(path)) {
    await assertRepositoryIsOurs(repository.found);
    const outside = repository.parts.filter((part) => !isBelow(part, allowed));
    const known = outside.length === 0 ? [] : await realRoots(rootsOf('repositories'));
    if (outside.some((part) => !isBelow(part, known))) throw fail(problems.repositoryOutside(path, repository.named));
  }
  return path;
}

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

interface NamedRepository {
  /** As the release file names it. */
  readonly named: string;
  readonly found: FoundRepository;
  /** Real paths of all that git reads. Empty for the checkout of the release file itself. */
  readonly parts: readonly string[];
}

/** Returns the local repositories of a release file. Planning itself reports a path that is no repository. */
export async function repositoriesOf(file: string): Promise<readonly NamedRepository[]> {
  const read = await readReleaseText(file, '/');
  const { content } = parsedRelease(read);
  const main = gitSourceOf(content);
  const lists = Object.values(content.wheels).flatMap((wheel) => ('git' in wheel ? [String(wheel.git)] : []));
  const named = [
    ...(main === null ? [] : [main.git]),
    ...namedGitSources(content).map(({ source }) => source.git),
    ...lists.filter((git) => !isAddress(git)).map(pathIn),
  ];
  const own = await findRepository(read.folder);
  const all = [...new Set(named)].map(async (path) => {
    const found = await findRepository(resolve(read.folder, path));
    if (found === null) return [];
    return [{ named: path, found, parts: found.folder === own?.folder ? [] : await partsOf(found) }];
  });
  return (await Promise.all(all)).flat();
}

/** A commit may hold a bare repository whose files and links name the objects of another one. */
async function partsOf({ top, folder, common }: FoundRepository): Promise<readonly string[]> {
  const walked = new Set<string>();
  const links = await walkObjects(join(common, 'objects'), walked);
  return realRoots([top ?? folder, folder, common, join(common, 'refs'), ...walked, ...links]);
}

/** Adds a folder of objects, and those that its alternates and theirs name. Returns the links in them. */
async function walkObjects(path: string, walked: Set<string>): Promise<readonly string[]> {
  const objects = await realpath(path).catch(() => null);
  if (objects === null || walked.has(objects)) return [];
  walked.add(objects);
  const names = await readdir(objects).catch(() => []);
  const folders = names.filter((name) => /^(?:info|pack|[0-9a-f]{2})$/.test(name)).map((name) => join(objects, name));
  const links = (await Promise.all([objects, ...folders].map(linksIn))).flat();
  const file = join(objects, 'info', 'alternates');
  const alternates = await readFile(file, 'utf8').catch(() => '');
  for (const line of alternates.split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
    // Git unquotes such a path, and so reads another one than we would judge.
    if (line.startsWith('"')) throw fail(problems.unreadable(file, 'it has a quoted path'));
    links.push(...(await walkObjects(resolve(objects, line), walked)));
  }
  return links;
}

async function linksIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => join(folder, name));
}

async function assertRepositoryIsOurs(found: FoundRepository): Promise<void> {
  for (const folder of new Set([found.folder, found.common])) {
    const real = await realpath(folder);
    await assertFolderIsOurs(real);
    for (const part of GIT_PARTS) await assertIsOurs(join(real, part));
  }
}
