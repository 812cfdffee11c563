import { closeSync, constants, createReadStream, fstatSync, openSync, readFileSync } from 'node:fs';
import { errnoOf } from '../../model/classify.js';
import type { Digest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { indexNotAFile } from './errors.js';
import { sha256OfStream } from '../sha256.js';

/** A link is not followed, and a pipe is not waited for. */
const HOW = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Opens a plain file. Throws INDEX_NOT_A_FILE for a link, folder, pipe, socket or device. */
function openPlain(target: string, path: string): number {
  const file = opened(target, path);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw fail(indexNotAFile(target, path));
}

function opened(target: string, path: string): number {
  try {
    return openSync(path, HOW);
  } catch (error) {
    if (['ELOOP', 'ENXIO'].includes(errnoOf(error) ?? '')) throw fail(indexNotAFile(target, path), error);
    throw error;
  }
}

/** Returns the text of a plain file, or an empty text for a file of more bytes. Synchronous: a page of 500 wheels reads
 * 500 short files, which the thread pool takes ten times as long for. */
export function textOf(target: string, path: string, mostBytes: number): string {
  const file = openPlain(target, path);
  try {
    return fstatSync(file).size > mostBytes ? '' : readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** Returns the digest of a plain file. */
export async function digestOf(target: string, path: string): Promise<Digest> {
  return (await sha256OfStream(createReadStream('', { fd: openPlain(target, path) }))).digest;
}
