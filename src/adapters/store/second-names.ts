import { linkSync, mkdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { asStoreFailure } from './errors.js';
import { myTurn } from './turns.js';

interface SecondName {
  readonly of: string;
  readonly as: string;
}

/** Links files to second names unless those exist. Their bytes are flushed already, so only the folders are. Returns
 * for each name whether it exists now. */
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

/** Errors that leave a name unlinked: no record, too many links, or a file system without links. */
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
  await using file = await open(folder, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null; // no name was linked there
    throw error;
  });
  await file?.sync();
}
