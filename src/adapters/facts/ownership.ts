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

/** Returns who can change a path besides this process's user and root. Null if no other user can. In a sticky folder
 * users cannot replace others' files. A group with the owner's number counts as private. */
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

/** Throws RELEASE_FILE_NOT_OWNED or RELEASE_FILE_WRITABLE. Accepts an absent path. */
export async function assertIsOurs(path: string): Promise<void> {
  const seen = await lstat(path).catch(() => null);
  if (seen === null || seen.isSymbolicLink()) return;
  const { uid, gid, mode } = seen;
  const problem = ownershipProblem(path, { uid, gid, mode, isFolder: seen.isDirectory() }, process.getuid?.() ?? uid);
  if (problem !== null) throw fail(problem);
}

/** Checks a folder and all its parents like `assertIsOurs`.
 * @param folder a real path */
export async function assertFolderIsOurs(folder: string): Promise<void> {
  for (let at = folder; ; at = dirname(at)) {
    await assertIsOurs(at);
    if (at === dirname(at)) return;
  }
}
