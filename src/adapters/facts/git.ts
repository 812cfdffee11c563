import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fail, SlipwayFailure } from '../../model/failure.js';
import type { Spot } from '../../plan/errors.js';
import type { Facts, GitFacts } from '../../plan/facts.js';
import { gitSourceOf, namedGitSources, type PlacedGitSource } from '../../plan/git-source.js';
import { inOrder } from '../../plan/in-order.js';
import type { ReadFile } from '../../plan/read/release-file.js';
import { historyOf, suitesIn } from '../checkout/committed.js';
import { archiveOf, GitStopped, NoRepository, type Repository, withRepository } from '../git/index.js';
import { problems } from './errors.js';
import { parsedRelease, readReleaseText } from './release-text.js';
import { temporaryFolder } from '../temporary-folder.js';

type Snapshot = { readonly snapshot?: boolean | undefined };

/** Returns facts of the commit that a release file names. Null for an sdist. Reads nothing from the working tree.
 * @param given the commit and its branch, where the name in the file stands for others. For a snapshot it reads more, and throws
 * SNAPSHOT_OF_SHALLOW_CLONE */
export async function readGit(
  file: ReadFile,
  folder: string,
  { commit, branch, snapshot }: Partial<Pick<GitFacts, 'commit' | 'branch'>> & Snapshot = {},
): Promise<GitFacts | null> {
  const source = gitSourceOf(file.content);
  if (source === null) return null;
  const files = filesNamed(file.content);
  const asked = { name: '', source: commit ? { ...source, commit } : source, path: ['source'], files, snapshot };
  const facts = await factsOf(asked, file.at, folder, foldersOf(file.content));
  return { ...facts, branch: branch ?? facts.branch };
}

/** Returns facts of the commits of named sources. Null without such sources. Throws all problems at once. */
export async function readSources({ content, at }: ReadFile, folder: string): Promise<Facts['sources'] | null> {
  const read = namedGitSources(content).map(
    async (one) => [one.name, await factsOf({ ...one, files: [] }, at, folder)] as const,
  );
  return read.length === 0 ? null : Object.fromEntries(await allOf(read));
}

/** Awaits all. Throws the problems of all at once. */
export async function allOf<T>(asked: readonly Promise<T>[]): Promise<readonly T[]> {
  const found = (await Promise.allSettled(asked)).flatMap((one) =>
    one.status === 'rejected' && one.reason instanceof SlipwayFailure ? one.reason.problems : [],
  );
  if (found.length > 0) throw fail(inOrder(found));
  return Promise.all(asked);
}

/** Returns the folders of the source that a release builds from. None for a pipeline, which publishes nothing of its source. */
function foldersOf({ release, sdists, wheels, jars }: ReadFile['content']): readonly string[] {
  const built = [sdists, wheels, jars].flatMap((section) => Object.values(section ?? {}));
  const own = built.filter((one) => !('source' in one) || one.source === undefined);
  if (release === undefined || (built.length > 0 && own.length === 0)) return [];
  const folders = own.flatMap((one) => ('folder' in one && one.folder ? [one.folder.replace(/^\.$/, '')] : []));
  return [...new Set(folders.length > 0 ? folders : [''])];
}

/** @param searched folders of the source whose suites are sought */
async function factsOf(
  { source, path: place, files: named, snapshot }: PlacedGitSource & { files: readonly string[] } & Snapshot,
  at: ReadFile['at'],
  folder: string,
  searched: readonly string[] = [],
): Promise<GitFacts> {
  const { git: path, folder: part, commit: name } = source;
  return askRepository(folder, path, at([...place, 'git']), async (repository) => {
    const commit = await commitOf(repository, name).catch((error: unknown) => {
      if (error instanceof GitStopped) throw error;
      throw fail(problems.commitAbsent(at([...place, 'commit']), name, path));
    });
    const hash = part === undefined ? commit : await newestOf(repository, commit, part);
    if (hash === '') throw fail(problems.folderAbsent(at([...place, 'folder']), part!, name));
    const tree = part === undefined ? `${hash}:` : `${hash}:${part}/`;
    if (snapshot && (await repository.ask('rev-parse', '--is-shallow-repository')).trim() === 'true')
      throw fail(problems.shallow(at([...place, 'git']), path));
    const [branch, epoch, files, history, suites] = await Promise.all([
      branchOf(repository, name),
      epochOf(repository, hash),
      repository.files(tree, new Map(named.map((file) => [file, Infinity]))),
      snapshot ? historyOf(repository, tree) : null,
      suitesIn(repository, tree, searched),
    ]);
    const texts = Object.fromEntries(named.map((file) => [file, files.get(file)?.text ?? null]));
    const of = { commit: hash, ...(hash !== commit && { named: commit }) };
    return { ...of, branch, epoch, files: texts, suites, ...(history && { history }) };
  });
}

/** Opens a repository until `use` settles. Throws GIT_ABSENT if it cannot be read.
 * @param spot of `git` in the release file */
export const askRepository = <T>(
  folder: string,
  git: string,
  spot: Spot,
  use: (repository: Repository) => Promise<T>,
): Promise<T> =>
  withRepository(resolve(folder, git), use).catch((error: unknown) => {
    const isOurs = error instanceof NoRepository || error instanceof GitStopped;
    throw isOurs ? fail(problems.noGit(spot, git, error.message)) : error;
  });

/** Returns the hash of the commit that a name refers to. Rejects if there is none. */
export async function commitOf(repository: Repository, name: string): Promise<string> {
  const asked = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  return (await repository.ask(...asked)).trim();
}

/** Returns the hash that a plan of the release file would have now. Null: its source is no commit. Rejects if there is none. */
export async function commitNow(file: string, cwd: string): Promise<string | null> {
  const { folder, ...read } = await readReleaseText(file, cwd);
  const source = gitSourceOf(parsedRelease(read).content);
  if (source === null) return null;
  return withRepository(resolve(folder, source.git), async (repository) => {
    const commit = await commitOf(repository, source.commit);
    return source.folder === undefined ? commit : newestOf(repository, commit, source.folder);
  });
}

/** Returns the commit time in seconds since 1970. `git show` is unsafe here: it may verify signatures with a program
 * from settings. */
async function epochOf(repository: Repository, commit: string): Promise<number> {
  const [header] = (await repository.ask('cat-file', 'commit', commit)).split('\n\n');
  return Number(/^committer .* (\d+) [+-]\d+$/m.exec(header!)?.[1] ?? 0);
}

/** Returns the newest commit that changed a folder. Empty if the folder does not exist.
 * @param folder path from the top of the repository */
async function newestOf(repository: Repository, commit: string, folder: string): Promise<string> {
  const is = await repository.ask('cat-file', '-t', `${commit}:${folder}`).catch(() => '');
  if (is.trim() !== 'tree') return '';
  return (await repository.ask('rev-list', '--max-count=1', commit, '--', `:(top,literal)${folder}`)).trim();
}

/** Returns the named branch, or the branch of HEAD. Null for tags and hashes. */
async function branchOf(repository: Repository, name: string): Promise<string | null> {
  const full = await repository.ask('rev-parse', '--symbolic-full-name', '--end-of-options', name).catch(() => '');
  const branch = /^refs\/(?:heads|remotes\/[^/]+)\/(.+)$/m.exec(full)?.[1];
  return branch ?? null;
}

function filesNamed(release: ReadFile['content']): readonly string[] {
  const versions = [release.release?.version, ...Object.values(release.tools).map((tool) => tool.version)];
  return [...new Set(versions.flatMap((version) => (typeof version === 'object' ? [version.file] : [])))];
}

/** More commits than a branch gets between two racing releases; the record has 20 kB. */
const MOST_ANCESTORS = 500;

export interface GitTree {
  /** Commit time, seconds since 1970. */
  readonly epoch: number;
  /** First parents, nearest first, up to MOST_ANCESTORS or the end of a shallow clone. */
  readonly ancestors: readonly string[];
  readonly tar: AsyncIterable<Uint8Array>;
}

/** `git archive` of a commit or one of its folders. The tar depends on nothing else. */
export function archive(path: string, commit: string, folder?: string): Promise<GitTree> {
  return withRepository(path, async (repository) => {
    const chain = ['rev-list', '--first-parent', `--max-count=${MOST_ANCESTORS + 1}`, commit];
    const [epoch, ancestors] = await Promise.all([epochOf(repository, commit), repository.ask(...chain)]);
    return { epoch, ancestors: ancestors.trim().split('\n').slice(1), tar: tarOf(path, commit, folder ?? '.') };
  });
}

/** In a folder of an empty work tree, `git archive` returns that folder of the commit with the commit's time. */
async function* tarOf(path: string, commit: string, folder: string): AsyncIterable<Uint8Array> {
  await using tree = await temporaryFolder('archive');
  try {
    const cwd = join(tree.path, folder);
    await mkdir(cwd, { recursive: true });
    yield* archiveOf(path, commit, { tree: tree.path, cwd });
  } catch (error) {
    throw error instanceof GitStopped ? fail(problems.noGit({}, path, error.message), error) : error;
  }
}
