import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fail } from '../../model/failure.js';
import { problems as mistakes } from '../../plan/errors.js';
import { MAX_FILE_BYTES } from '../../plan/read/limits.js';
import { readReleaseFile, type ReadFile } from '../../plan/read/release-file.js';
import { problems } from './errors.js';

export interface ReleaseText {
  /** As a person named it: what problems say. */
  readonly shown: string;
  /** Absolute folder of the bundle. */
  readonly folder: string;
  /** Its path inside the bundle. */
  readonly name: string;
  readonly text: string;
}

/** Reads a release file; a folder means the `slipway.yaml` inside. Refused by size before it is read. */
export async function readReleaseText(file: string, cwd: string): Promise<ReleaseText> {
  const path = resolve(cwd, file);
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) return readReleaseText(join(file, 'slipway.yaml'), cwd);
  if (!found?.isFile()) throw fail(problems.noReleaseFile(file));
  if (found.size > MAX_FILE_BYTES) throw fail(mistakes.tooBig({ place: { file } }, found.size));
  return { shown: file, folder: dirname(path), name: basename(path), text: await utf8(path, file) };
}

let last: { readonly text: string; readonly shown: string; readonly parsed: ReadFile } | null = null;

/** What a text says; throws all of its problems. Several questions are asked of one file: the last one stays parsed. */
export function parsedRelease({ text, shown }: Pick<ReleaseText, 'text' | 'shown'>): ReadFile {
  if (last?.text !== text || last.shown !== shown) last = { text, shown, parsed: readReleaseFile(text, shown) };
  return last.parsed;
}

/** Text of a small file; bytes that are not UTF-8 are refused, not replaced. */
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
