import { lstatSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail } from '../model/failure.js';
import { engineFolderTaken } from './errors.js';
import { readJson, writeJson } from './files.js';

/** A socket's path holds 107 characters; containerd adds about 40 to the folder that we give it. */
const LONGEST_FOLDER = 60;

const noteOf = (home: string): string => join(home, 'docker', 'folder.json');

/** Folder of the sockets of our Docker engine. Below the home where its path is short enough; else a folder of a name that nobody can
 * foresee, which only the home knows. */
export function engineFolder(home: string): string {
  const folder = join(home, 'docker');
  if (folder.length <= LONGEST_FOLDER) return folder;
  const noted = notedFolder(home);
  if (noted !== null) return noted;
  const made = mkdtempSync(join(tmpdir(), 'slipway-'));
  writeJson(noteOf(home), { folder: made });
  return made;
}

/** The same folder, if it is known. */
export const knownEngineFolder = (home: string): string | null => {
  const folder = join(home, 'docker');
  return folder.length <= LONGEST_FOLDER ? folder : notedFolder(home);
};

const notedFolder = (home: string): string | null => readJson<{ folder: string }>(noteOf(home))?.folder ?? null;

/** Makes the folder. Throws ENGINE_FOLDER_TAKEN where another user has put something in its place. */
export function makeEngineFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const seen = lstatSync(folder);
  const isOurs = seen.isDirectory() && seen.uid === process.getuid?.() && (seen.mode & 0o022) === 0;
  if (!isOurs) throw fail(engineFolderTaken(folder));
}
