import { execFile } from 'node:child_process';
import { lstat, mkdir, realpath, rename } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import type { Store } from '../../activities/ports.js';
import type { Digest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { gitSourceOf } from '../../plan/git-source.js';
import { nameOf } from '../../plan/head.js';
import { InnerPath } from '../../model/schema/scalars.js';
import { problems } from './errors.js';
import { workTreeOf } from '../git/index.js';
import { readReleaseText, parsedRelease } from './release-text.js';
import { temporaryFolder } from '../temporary-folder.js';

const run = promisify(execFile);
const LONGEST_DIFF_BYTES = 64 * 1_048_576;

/** The working tree of the source. Paths are relative to the source. */
export interface WorkingTree {
  /** Name of the release. */
  readonly release: string;
  /** Returns a unified diff from the file to these bytes. Null if they are equal. */
  diff(path: string, digest: Digest): Promise<string | null>;
  /** Returns the path. */
  write(path: string, digest: Digest): Promise<string>;
}

/** Opens the working tree that a release file's `source.git` names. Throws WORKING_TREE_ABSENT. */
export async function openWorkingTree(file: string, store: Store, cwd: string = process.cwd()): Promise<WorkingTree> {
  const { folder, ...read } = await readReleaseText(file, cwd);
  const { content, at } = parsedRelease(read);
  const source = gitSourceOf(content);
  if (source === null) throw fail(problems.noWorkingTree(at(['source']), 'the source is no commit'));
  const repository = resolve(folder, source.git);
  const top = await workTreeOf(repository).catch((error: Error) => {
    throw fail(problems.noWorkingTree(at(['source', 'git']), error.message));
  });
  const root = await realpath(join(top, source.folder ?? '.'));
  return {
    release: nameOf(content),
    diff: (path, digest) => diff(root, path, digest, store),
    write: (path, digest) => write(root, path, digest, store),
  };
}

/** Git runs programs that files there name, and no commit can hold one. */
const isOfGit = (path: string): boolean => path.split(sep).some((part) => part.toLowerCase() === '.git');

/** Returns the absolute path of a path in the source. Throws LOCK_PATH_UNSAFE if links lead elsewhere, or into `.git`. */
async function placeOf(root: string, path: string): Promise<string> {
  if (!InnerPath.safeParse(path).success) throw fail(problems.unsafePath(path, 'it leaves the source'));
  const place = join(root, path);
  if ((await lstat(place).catch(() => null))?.isSymbolicLink())
    throw fail(problems.unsafePath(path, 'it is a link; name what it points to'));
  const nearest = await nearestFolder(dirname(place));
  if (nearest !== root && !nearest.startsWith(root + sep))
    throw fail(problems.unsafePath(path, 'a link leads out of the source'));
  if (isOfGit(path) || isOfGit(nearest.slice(root.length)))
    throw fail(problems.unsafePath(path, 'it is of git itself'));
  return place;
}

const nearestFolder = (folder: string): Promise<string> =>
  realpath(folder).catch((): Promise<string> => nearestFolder(dirname(folder)));

async function diff(root: string, path: string, digest: Digest, store: Store): Promise<string | null> {
  const place = await placeOf(root, path);
  const there = await lstat(place).then(
    (found) => found.isFile(),
    () => false,
  );
  await using folder = await temporaryFolder('deps');
  const made = join(folder.path, 'made');
  await store.fetch(digest, made);
  const labels = ['--label', there ? `a/${path}` : '/dev/null', '--label', `b/${path}`];
  return await diffOf(['-u', ...labels, there ? place : '/dev/null', made]);
}

/** `diff` exits with 1 if files differ. */
async function diffOf(argv: readonly string[]): Promise<string | null> {
  try {
    await run('diff', argv, { maxBuffer: LONGEST_DIFF_BYTES });
    return null;
  } catch (error) {
    const { code, stdout } = error as { code?: unknown; stdout?: string };
    if (code !== 1 || stdout === undefined) throw error;
    return stdout;
  }
}

async function write(root: string, path: string, digest: Digest, store: Store): Promise<string> {
  const place = await placeOf(root, path);
  await mkdir(dirname(place), { recursive: true });
  const fresh = `${place}.slipway`;
  await store.fetch(digest, fresh);
  await rename(fresh, place);
  return path;
}
