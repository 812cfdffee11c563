import { basename } from 'node:path';
import { classify, errnoOf } from '../../model/classify.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import { archiveUnreadable } from './errors.js';

/** Throws ARCHIVE_UNREADABLE with the archive's name and the reason. ARCHIVE_UNSAFE and faults of the machine
 * (disk full, too many open files) are thrown as they are: they say nothing about the archive's bytes. */
export function refuse(path: string, error: unknown): never {
  if (error instanceof SlipwayFailure && error.first.code === 'ARCHIVE_UNSAFE') throw error;
  const errno = errnoOf(error);
  if (errno !== undefined && classify({ of: 'system', errno }).class === 'infra') throw error;
  const why = error instanceof SlipwayFailure ? error.first.message : (error as Error).message;
  throw fail(archiveUnreadable(basename(path), why), error);
}
