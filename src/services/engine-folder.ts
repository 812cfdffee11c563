import { lstatSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail } from '../model/failure.js';
import { engineFolderTaken } from './errors.js';
import { readJson, writeJson } from './files.js';

/** A socket path holds 107 characters; containerd adds about 40 to its folder. */
const LONGEST_FOLDER = 60;

const noteOf = (home: string): string => join(home, 'docker', 'folder.json');

/** Returns the folder for the sockets of the home's Docker engine. It is in the home, or in a temporary folder with
 * a random name if the path is too long. The home records that name. */
export function engineFolder(home: string): string {
  const folder = join(home, 'docker');
  if (folder.length <= LONGEST_FOLDER) return folder;
  const noted = notedFolder(home);
  if (noted !== null) return noted;
  const made = mkdtempSync(join(tmpdir(), 'slipway-'));
  writeJson(noteOf(home), { folder: made });
  return made;
}

/** Returns the folder. Null if none was made yet. */
export const knownEngineFolder = (home: string): string | null => {
  const folder = join(home, 'docker');
  return folder.length <= LONGEST_FOLDER ? folder : notedFolder(home);
};

const notedFolder = (home: string): string | null => readJson<{ folder: string }>(noteOf(home))?.folder ?? null;

/** Makes the folder. Throws ENGINE_FOLDER_TAKEN if another user controls it. */
export function makeEngineFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const seen = lstatSync(folder);
  const isOurs = seen.isDirectory() && seen.uid === process.getuid?.() && (seen.mode & 0o022) === 0;
  if (!isOurs) throw fail(engineFolderTaken(folder));
}
