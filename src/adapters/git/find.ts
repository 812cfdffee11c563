import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

export interface FoundRepository {
  /** Folder with HEAD and the index. */
  readonly folder: string;
  /** Folder with objects and references; differs for a linked work tree. */
  readonly common: string;
  /** Folder of the work tree. Null: a bare repository. */
  readonly top: string | null;
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

const textOf = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null);

/** Returns the repository of a folder: `.git` in it or above it, or a bare repository at the path itself. Null if
 * there is none. Ignores the repository's settings: `core.worktree` of an untrusted checkout could name any folder. */
export async function findRepository(named: string): Promise<FoundRepository | null> {
  const folder = resolve(named);
  for (let top = folder; ; top = dirname(top)) {
    const found = await databaseAt(await behindFile(join(top, '.git')), top);
    if (found) return found;
    if (top === folder) {
      const bare = await databaseAt(folder, null);
      if (bare) return bare;
    }
    if (dirname(top) === top) return null;
  }
}

/** `.git` of a linked work tree or a submodule is a file: `gitdir: PATH`. */
async function behindFile(path: string): Promise<string> {
  const said = /^gitdir: (.+)$/m.exec((await textOf(path)) ?? '')?.[1];
  return said === undefined ? path : resolve(dirname(path), said.trim());
}

async function databaseAt(folder: string, top: string | null): Promise<FoundRepository | null> {
  if ((await textOf(join(folder, 'HEAD'))) === null) return null;
  const shared = await textOf(join(folder, 'commondir'));
  const common = shared === null ? folder : resolve(folder, shared.trim());
  const parts = await Promise.all([isFolder(join(common, 'objects')), isFolder(join(common, 'refs'))]);
  return parts.every(Boolean) ? { folder, common, top } : null;
}
