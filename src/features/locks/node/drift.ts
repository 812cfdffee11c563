import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../../model/failure.js';
import { writeInside } from '../../../activities/step/inside.js';
import type { Work } from '../../../activities/work.js';
import { lockDrift } from './errors.js';

const DIFF_LINES = 200;

/** Returns requirements and hashes, one a line, sorted. Comments, options and layout do not change what is installed.
 */
export function essence(lock: string): string {
  const joined = lock.replace(/\\\r?\n/g, ' ').split(/\r?\n/);
  const lines = joined
    .map((line) => line.slice(0, commentAt(line)).trim())
    .filter((line) => line !== '' && !/^-(?!e )/.test(line));
  const entries = lines.map((line) => {
    const [requirement = '', ...hashes] = line.split(/\s(?=--hash)/);
    return [requirement.trim(), ...hashes.map((hash) => `    ${hash.trim()}`).sort()].join('\n');
  });
  return `${entries.sort().join('\n')}\n`;
}

function commentAt(line: string): number {
  const found = line.search(/(?:^|\s)#/);
  return found < 0 ? line.length : found;
}

const withoutHashes = (essential: string): string => essential.replace(/^ {4}--hash.*\n/gm, '');

export const pinsOf = (lock: string): string => withoutHashes(essence(lock));

export const withoutHashLines = (lock: string): string =>
  lock.replace(/(?<![ \t])[ \t]*\\\r?\n[ \t]+--hash=[^\s\\]+/g, '');

/** Throws LOCK_DRIFT with a unified diff if the lock in the source differs in any byte. */
export async function compareBytes(work: Work, before: string, fresh: string, name: string): Promise<void> {
  const after = await readFile(fresh, 'utf8');
  if (before !== after) await throwDrift(work, before, after, name);
}

/** Throws LOCK_DRIFT with a unified diff if the lock in the source has other pins or hashes. */
export async function compareLocks(work: Work, old: string, fresh: string, name: string): Promise<void> {
  const [before, compiled] = [essence(old), essence(await readFile(fresh, 'utf8'))];
  const after = before.includes('--hash') ? compiled : withoutHashes(compiled);
  if (before !== after) await throwDrift(work, before, after, name);
}

async function throwDrift(work: Work, before: string, after: string, name: string): Promise<never> {
  const folder = join(work.folder, 'made');
  // Code of sdists has run while the lock was made, and may write into this folder.
  writeInside(work, join(folder, 'before'), before);
  writeInside(work, join(folder, 'after'), after);
  const diff: string[] = [];
  const exit = await work.exec(
    ['diff', '-u', '--label', `${name} in the source`, '--label', `${name} compiled`, 'before', 'after'],
    {
      cwd: folder,
    },
  );
  if (exit.code !== 0) diff.push(...work.log.tail(DIFF_LINES));
  throw fail(lockDrift(name, diff));
}
