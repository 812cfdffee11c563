import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fail } from '../../model/failure.js';
import { problems as mistakes } from '../../plan/errors.js';
import { MAX_FILE_BYTES } from '../../plan/read/limits.js';
import { problems } from './errors.js';

export interface ReleaseText {
  /** The path as the user typed it, for messages. */
  readonly shown: string;
  /** Absolute folder of the bundle. */
  readonly folder: string;
  /** Path inside the bundle. */
  readonly name: string;
  readonly text: string;
}

/** Reads a release file, or `slipway.yaml` in a folder. Checks the size before reading. */
export async function readReleaseText(file: string, cwd: string): Promise<ReleaseText> {
  const path = resolve(cwd, file);
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) return readReleaseText(join(file, 'slipway.yaml'), cwd);
  if (!found?.isFile()) throw fail(problems.noReleaseFile(file));
  if (found.size > MAX_FILE_BYTES) throw fail(mistakes.tooBig({ place: { file } }, found.size));
  return { shown: file, folder: dirname(path), name: basename(path), text: await utf8(path, file) };
}

/** Reads a small file as text. Refuses invalid UTF-8. */
export async function utf8(path: string, shown: string): Promise<string> {
  const bytes = await readFile(path).catch((error: Error) => {
    throw fail(problems.unreadable(shown, error.message));
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw fail(mistakes.binary({ place: { file: shown } }, 'it is not valid UTF-8'));
  }
}
