import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fail, type SlipwayFailure } from '../../model/failure.js';
import { problems as mistakes } from '../../plan/errors.js';
import { MAX_FILE_BYTES } from '../../plan/read/limits.js';
import { readReleaseFile, type ReadFile } from '../../plan/read/release-file.js';
import { problems } from './errors.js';

let last: { readonly text: string; readonly shown: string; readonly parsed: ReadFile } | null = null;

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

/** Reads a small file as text. Refuses invalid UTF-8. Another user may have put a pipe there, or a link to a device. */
export async function utf8(path: string, shown: string, mostBytes = MAX_FILE_BYTES): Promise<string> {
  const bytes = await plainFile(path, shown, mostBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw fail(mistakes.binary({ place: { file: shown } }, 'it is not valid UTF-8'));
  }
}

async function plainFile(path: string, shown: string, mostBytes: number): Promise<Buffer> {
  const unreadable = (why: string): SlipwayFailure => fail(problems.unreadable(shown, why));
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: Error) => {
    throw unreadable(error.message);
  });
  const seen = await file.stat();
  if (!seen.isFile()) throw unreadable('it is no plain file');
  if (seen.size > mostBytes) throw unreadable(`it has ${seen.size} bytes; at most ${mostBytes} are read`);
  return await file.readFile();
}

/** Parses a release file. Throws all its problems. Several callers parse the same file, so the last result is
 * cached. */
export function parsedRelease({ text, shown }: Pick<ReleaseText, 'text' | 'shown'>): ReadFile {
  if (last?.text !== text || last.shown !== shown) last = { text, shown, parsed: readReleaseFile(text, shown) };
  return last.parsed;
}
