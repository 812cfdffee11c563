import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fail } from '../../model/failure.js';
import { fileExists, notWritable } from './errors.js';

/** Writes a new file. Throws INIT_FILE_EXISTS if it exists, also if another program creates it meanwhile. */
export async function writeNew(folder: string, path: string, text: string, cwd: string): Promise<void> {
  const file = resolve(cwd, folder, path);
  const shown = join(folder, path);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw fail(code === 'EEXIST' ? fileExists(shown) : notWritable(shown, message), error);
  }
}
