import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeShortFolder, shortFolder } from './engine-folder.js';

/** A socket path holds 107 bytes; the longest name of a socket has 16. */
const LONGEST_FOLDER = 90;

/** Returns the path of a service's socket. The home keeps other users out. A home with a long path has its sockets in a
 * temporary folder of this user alone. */
export const socketOf = (home: string, name: string): string =>
  join(shortFolder(home, 'sockets', LONGEST_FOLDER), `${name}.sock`);

/** Makes the folder of a socket and removes what a killed server left. Throws ENGINE_FOLDER_TAKEN if another user controls
 * it. */
export function clearSocket(socket: string): void {
  makeShortFolder(dirname(socket));
  rmSync(socket, { force: true });
}
