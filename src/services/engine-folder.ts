import { lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, dirname } from 'node:path';
import { fail } from '../model/failure.js';
import { engineFolderTaken } from './errors.js';
import { readJson, writeJson } from './files.js';

/** A socket path holds 107 bytes; the longest name of a socket has 16. */
const LONGEST_FOLDER = 90;

/** A socket path holds 107 bytes; containerd adds about 40 to its folder. */
const LONGEST_ENGINE_FOLDER = 60;

const noteOf = (home: string, name: string): string => join(home, name, 'folder.json');

/** Returns a folder of the home for sockets, or a temporary folder with a random name if the path is too long. The home
 * records that name. */
export function shortFolder(home: string, name: string, longest: number): string {
  const known = knownFolder(home, name, longest);
  if (known !== null) return known;
  const made = mkdtempSync(join(tmpdir(), 'slipway-'));
  writeJson(noteOf(home, name), { folder: made });
  return made;
}

/** Returns the folder. Null if none was made yet. */
function knownFolder(home: string, name: string, longest: number): string | null {
  const folder = join(home, name);
  if (Buffer.byteLength(folder) <= longest) return folder;
  return readJson<{ folder: string }>(noteOf(home, name))?.folder ?? null;
}

/** Folder for the sockets of the home's Docker engine. */
export const engineFolder = (home: string): string => shortFolder(home, 'docker', LONGEST_ENGINE_FOLDER);

/** Null if none was made yet. */
export const knownEngineFolder = (home: string): string | null => knownFolder(home, 'docker', LONGEST_ENGINE_FOLDER);

/** Makes the folder. Throws ENGINE_FOLDER_TAKEN if another user controls it. */
export function makeShortFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const seen = lstatSync(folder);
  const isOurs = seen.isDirectory() && seen.uid === process.getuid?.() && (seen.mode & 0o022) === 0;
  if (!isOurs) throw fail(engineFolderTaken(folder));
}

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
