import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { fail } from '../../model/failure.js';
import type { GitFacts } from '../../plan/facts.js';
import type { ReadFile } from '../../plan/read/release-file.js';
import { problems } from './errors.js';

const run = promisify(execFile);

/** Git without the settings of whoever runs it: the same answers anywhere. */
const ENV = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_OPTIONAL_LOCKS: '0',
};
const SAFE = ['-c', 'safe.directory=*', '-c', 'core.fsmonitor=false'];

/** Git's answer about a repository, as text. */
export const git = async (folder: string, ...args: readonly string[]): Promise<string> =>
  (await run('git', [...SAFE, '-C', folder, ...args], { env: ENV, maxBuffer: 4 * 1_048_576 })).stdout;

/** Facts of the commit that a release file names; null for an sdist. Nothing is read from the working tree. */
export async function readGit({ content: release, at }: ReadFile, folder: string): Promise<GitFacts | null> {
  if (!('git' in release.source)) return null;
  const { git: path, commit: name, folder: part } = release.source;
  const repository = resolve(folder, path);
  await git(repository, 'rev-parse', '--git-dir').catch((error: Error & { stderr?: string }) => {
    const why = (error.stderr || error.message).trim().split('\n')[0]!.replace(repository, path);
    throw fail(problems.noGit(at(['source', 'git']), path, why));
  });
  const revision = `${name}^{commit}`;
  const commit = await git(repository, 'rev-parse', '--verify', '--quiet', '--end-of-options', revision).catch(() => {
    throw fail(problems.commitAbsent(at(['source', 'commit']), name, path));
  });
  const hash = part === undefined ? commit.trim() : await newestOf(repository, commit.trim(), part);
  if (hash === '') throw fail(problems.folderAbsent(at(['source', 'folder']), part!, name));
  const [branch, epoch, files] = await Promise.all([
    branchOf(repository, name),
    git(repository, 'show', '-s', '--format=%ct', hash),
    texts(repository, hash, part, filesNamed(release)),
  ]);
  return { commit: hash, branch, epoch: Number(epoch.trim()), files };
}

/** The newest commit that changed a folder, from the top of the repository; empty where there is no such folder. */
async function newestOf(repository: string, commit: string, folder: string): Promise<string> {
  const is = await git(repository, 'cat-file', '-t', `${commit}:${folder}`).catch(() => '');
  if (is.trim() !== 'tree') return '';
  return (await git(repository, 'rev-list', '--max-count=1', commit, '--', `:(top,literal)${folder}`)).trim();
}

/** The branch that was named, or that HEAD is on; null for tags and hashes. */
async function branchOf(repository: string, name: string): Promise<string | null> {
  const full = await git(repository, 'rev-parse', '--symbolic-full-name', '--end-of-options', name).catch(() => '');
  const branch = /^refs\/(?:heads|remotes\/[^/]+)\/(.+)$/m.exec(full)?.[1];
  return branch ?? null;
}

function filesNamed(release: ReadFile['content']): readonly string[] {
  const { version } = release.release;
  return typeof version === 'string' ? [] : [version.file];
}

async function texts(
  repository: string,
  commit: string,
  folder: string | undefined,
  files: readonly string[],
): Promise<GitFacts['files']> {
  const top = folder === undefined ? `${commit}:` : `${commit}:${folder}/`;
  const read = files.map(
    async (file) => [file, await git(repository, 'show', `${top}${file}`).catch(() => null)] as const,
  );
  return Object.fromEntries(await Promise.all(read));
}

/** More than a branch gets between two releases of it that race; a record of 20 kB. */
const MOST_ANCESTORS = 500;

export interface GitTree {
  /** Seconds since 1970 of the commit. */
  readonly epoch: number;
  /** By first parents, the nearest first, as far as the clone goes and we look. */
  readonly ancestors: readonly string[];
  readonly tar: AsyncIterable<Uint8Array>;
}

/** `git archive` of a commit, or of one folder of it: a tar whose bytes depend on nothing but these. */
export async function archive(repository: string, commit: string, folder?: string): Promise<GitTree> {
  const epoch = Number((await git(repository, 'show', '-s', '--format=%ct', commit)).trim());
  const chain = await git(repository, 'rev-list', '--first-parent', `--max-count=${MOST_ANCESTORS + 1}`, commit);
  // From a folder inside the work tree, git would take that folder alone: the commit is the whole of it, whoever asks.
  const database = (await git(repository, 'rev-parse', '--absolute-git-dir')).trim();
  return { epoch, ancestors: chain.trim().split('\n').slice(1), tar: tarOf(database, commit, folder ?? '.') };
}

/** Asked from a folder of an empty work tree, git answers that folder of the commit, with the commit's time.
 * @param database the repository's git directory */
async function* tarOf(database: string, commit: string, folder: string): AsyncIterable<Uint8Array> {
  const tree = await mkdtemp(join(tmpdir(), 'slipway-archive-'));
  try {
    const cwd = join(tree, folder);
    await mkdir(cwd, { recursive: true });
    const where = [`--git-dir=${database}`, `--work-tree=${tree}`];
    yield* outputOf([...SAFE, '-c', 'tar.umask=0022', ...where, 'archive', '--format=tar', commit], cwd, database);
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
}

async function* outputOf(argv: readonly string[], cwd: string, database: string): AsyncIterable<Uint8Array> {
  const child = spawn('git', argv, { cwd, env: ENV, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said = `${said}${text.toString()}`.slice(-2000)));
  const ended = new Promise<number | null>((done, refuse) => child.once('error', refuse).once('close', done));
  yield* child.stdout as AsyncIterable<Uint8Array>;
  if ((await ended) !== 0) throw fail(problems.noGit({}, database, said.trim().split('\n')[0] ?? 'git archive failed'));
}
