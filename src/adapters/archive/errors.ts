import { problem } from '../../model/problem.js';
import type { Problem } from '../../model/failure.js';

export const archiveUnsafe = problem.config((archive: string, member: string, why: string) => [
  'ARCHIVE_UNSAFE',
  `${archive}: member ${JSON.stringify(member)} ${why}`,
  'Nothing of the archive was used. List it with `tar -tvf`, then use a source whose archive stays inside its own folder.',
]);
export const archiveUnreadable = problem.config((archive: string, why: string) => [
  'ARCHIVE_UNREADABLE',
  `${archive} cannot be read as an archive: ${why}`,
  'Check that the file is a whole .tar.gz, .tgz, .tar, .tar.bz2, .tar.xz, .zip, .whl or .jar; then make or fetch it again.',
]);
/** @param what end of the sentence: `has more than 9 members` */
export const archiveTooLarge = problem.config((archive: string, what: string) => [
  'ARCHIVE_TOO_LARGE',
  `${archive} ${what}`,
  'Nothing of the archive was used. List it with `tar -tvf`, and compare it with docs/limits.md.',
]);

/** Broken zip file. The caller adds the archive's name. */
export const zipBroken = (why: string): Problem => ({ ...archiveUnreadable('a zip file', why), message: why });
export const zipMemberBroken = (member: string, why: string): Problem =>
  zipBroken(`member ${JSON.stringify(member)} ${why}`);
