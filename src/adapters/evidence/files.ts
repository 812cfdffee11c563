import { constants } from 'node:fs';
import { open, readdir, type FileHandle } from 'node:fs/promises';
import type { Digest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { fileRefused } from './errors.js';
import { sha256OfStream } from '../sha256.js';

const whyUnread = (errno: string | undefined): string => {
  switch (errno) {
    case 'ELOOP':
      return 'is a symbolic link';
    case 'ENOENT':
      return 'is not there';
    case 'EACCES':
      return 'may not be read by your user';
    default:
      return `cannot be read: ${errno}`;
  }
};

/** Refuses links, which could lead anywhere, and pipes, which may never end. */
async function opened(path: string): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    throw fail(fileRefused(path, whyUnread(error.code)));
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw fail(fileRefused(path, 'is no ordinary file'));
}

export async function digestOfFile(path: string): Promise<Digest> {
  const file = await opened(path);
  return (await sha256OfStream(file.createReadStream())).digest;
}

/** Throws VERIFY_FILE_REFUSED above `mostBytes`. */
export async function smallFile(path: string, mostBytes: number): Promise<Buffer> {
  await using file = await opened(path);
  if ((await file.stat()).size > mostBytes) throw fail(fileRefused(path, `has more than ${mostBytes} bytes`));
  return await file.readFile();
}

/** Names of files and links directly in a folder, sorted. Null if it is no folder. */
export async function namesIn(folder: string): Promise<readonly string[] | null> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR') return null;
    throw fail(fileRefused(folder, whyUnread(error.code)));
  });
  return (
    entries
      ?.filter((entry) => !entry.isDirectory())
      .map(({ name }) => name)
      .sort() ?? null
  );
}
