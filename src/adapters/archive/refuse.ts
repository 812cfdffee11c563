import { basename } from 'node:path';
import { classify, errnoOf } from '../../model/classify.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import { archiveUnreadable } from './errors.js';

/** These problems already name the archive and the reason. */
const TOLD = ['ARCHIVE_UNSAFE', 'ARCHIVE_TOO_LARGE'];

/** Throws ARCHIVE_UNREADABLE with the archive's name and the reason. Rethrows machine faults (disk full, quota,
 * read-only, too many open files): they say nothing about the archive's bytes. */
export function refuse(path: string, error: unknown): never {
  if (error instanceof SlipwayFailure && TOLD.includes(error.first.code)) throw error;
  const fault = machineFault(error);
  if (fault !== null) throw fault;
  const why = error instanceof SlipwayFailure ? error.first.message : (error as Error).message;
  throw fail(archiveUnreadable(basename(path), why), error);
}

/** Returns the machine's fault behind an error. Null for errors that archives cause (ENAMETOOLONG, EISDIR). */
function machineFault(error: unknown): Error | null {
  if (!(error instanceof Error)) return null;
  const errno = errnoOf(error);
  const isMachine = errno !== undefined && (errno === 'EIO' || classify({ of: 'system', errno }).class === 'infra');
  if (!isMachine) return null;
  return error instanceof SlipwayFailure ? machineFault(error.cause) : error;
}
