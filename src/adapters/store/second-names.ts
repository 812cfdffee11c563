import { linkSync, mkdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { asStoreFailure } from './errors.js';
import { myTurn } from './turns.js';

interface SecondName {
  /** Path of a record's file. */
  readonly of: string;
  readonly as: string;
}

/** The same files under second names, where nothing stands yet: their bytes were flushed when they were written, so that the folders
 * are all that is left to flush. Answers for each whether something stands there now. */
export async function secondNames(store: string, names: readonly SecondName[]): Promise<readonly boolean[]> {
  try {
    const there: boolean[] = [];
    for (const { of, as } of names) {
      await myTurn();
      there.push(linked(of, as));
    }
    for (const folder of new Set(names.map(({ as }) => dirname(as)))) await flushed(folder);
    return there;
  } catch (error) {
    throw asStoreFailure(error, store);
  }
}

/** The record is gone, has as many names as a file may have, or the file system gives none. */
const CANNOT = ['ENOENT', 'EMLINK', 'EPERM', 'EXDEV', 'ENOTSUP'];

function linked(of: string, as: string): boolean {
  for (let again = true; ; again = false) {
    try {
      linkSync(of, as);
      return true;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      if (code === 'EEXIST') return true;
      if (!CANNOT.includes(code)) throw error;
      if (code !== 'ENOENT' || !again) return false;
      mkdirSync(dirname(as), { recursive: true });
    }
  }
}

async function flushed(folder: string): Promise<void> {
  const file = await open(folder, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null; // nothing got a name there
    throw error;
  });
  try {
    await file?.sync();
  } finally {
    await file?.close();
  }
}
