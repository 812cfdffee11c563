import { randomBytes } from 'node:crypto';
import { quoted } from '../../model/quoted.js';

const NAME = /^\/tmp\/slipway-[0-9a-f]{16}$/;

/** Returns a name directly below /tmp that no other user of the head can guess. Short, because Ray makes sockets below such a folder. */
export const newHeadFolder = (): string => `/tmp/slipway-${randomBytes(8).toString('hex')}`;

/** Returns true for a name that `newHeadFolder` made. */
export const isHeadFolder = (path: string): boolean => NAME.test(path);

/** A shell line that makes folders for this user alone. It fails if a name is taken, or if other users may rename what is in /tmp. */
export const makeFolders = (...folders: readonly string[]): string =>
  `umask 077; { test -k /tmp || test -O /tmp; } && mkdir -m 700 -- ${folders.map(quoted).join(' ')}`;

/** A shell line that fails unless a folder is ours and closed to other users. */
export const isClosed = (folder: string): string =>
  `test ! -L ${quoted(folder)} && test -O ${quoted(folder)} && ls -ld -- ${quoted(folder)} | grep -q '^drwx--[-S]---'`;
