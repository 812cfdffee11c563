import type { Problem } from '../../model/failure.js';

export const archiveUnsafe = (archive: string, member: string, why: string): Problem => ({
  code: 'ARCHIVE_UNSAFE',
  class: 'config',
  message: `${archive}: member ${JSON.stringify(member)} ${why}`,
  next: 'Nothing of the archive was used. Look at it with `tar -tvf`; take a source whose archive stays inside its own folder.',
});

export const archiveUnreadable = (archive: string, why: string): Problem => ({
  code: 'ARCHIVE_UNREADABLE',
  class: 'config',
  message: `${archive} cannot be read as an archive: ${why}`,
  next: 'Check that the file is a whole .tar.gz, .tgz, .tar, .tar.bz2, .tar.xz or .zip.',
});

/** Told by whoever knows the archive's name. */
export const zipBroken = (why: string): Problem => ({ ...archiveUnreadable('a zip file', why), message: why });
