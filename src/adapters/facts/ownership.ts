import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail, type Problem } from '../../model/failure.js';
import { problems } from './errors.js';

const ROOT = 0;
const [GROUP_WRITES, ALL_WRITE, STICKY] = [0o020, 0o002, 0o1000];

export interface FileOwner {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
  readonly isFolder: boolean;
}

/** Returns who besides this process's user and root can change a path. Null if nobody can.
 * In a sticky folder nobody replaces files of others; a group of the owner's own number has no other members. */
export function otherWriter({ uid, gid, mode, isFolder }: FileOwner, me: number): 'owner' | 'others' | null {
  if (uid !== me && uid !== ROOT) return 'owner';
  const isSticky = isFolder && (mode & STICKY) !== 0;
  const writable = (mode & ALL_WRITE) !== 0 || ((mode & GROUP_WRITES) !== 0 && gid !== uid);
  return writable && !isSticky ? 'others' : null;
}

/** Returns why another user could change the path. Null if only this process's user and root can. */
export function ownershipProblem(path: string, seen: FileOwner, me: number): Problem | null {
  const writer = otherWriter(seen, me);
  if (writer === 'owner') return problems.notOwned(path, seen.uid, me);
  return writer === 'others' ? problems.writableByOthers(path, seen.mode) : null;
}

/** Throws RELEASE_FILE_NOT_OWNED or RELEASE_FILE_WRITABLE. A path that is absent passes. */
export async function assertIsOurs(path: string): Promise<void> {
  const seen = await lstat(path).catch(() => null);
  if (seen === null || seen.isSymbolicLink()) return;
  const { uid, gid, mode } = seen;
  const problem = ownershipProblem(path, { uid, gid, mode, isFolder: seen.isDirectory() }, process.getuid?.() ?? uid);
  if (problem !== null) throw fail(problem);
}

/** The same of a folder and of every folder above it.
 * @param folder a real path */
export async function assertFolderIsOurs(folder: string): Promise<void> {
  for (let at = folder; ; at = dirname(at)) {
    await assertIsOurs(at);
    if (at === dirname(at)) return;
  }
}
