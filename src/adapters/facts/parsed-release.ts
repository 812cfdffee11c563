import { readReleaseFile, type ReadFile } from '../../plan/read/release-file.js';
import type { ReleaseText } from './release-text.js';

let last: { readonly text: string; readonly shown: string; readonly parsed: ReadFile } | null = null;

/** Parses a release file. Throws all its problems. Several callers parse the same file, so the last result is
 * cached. */
export function parsedRelease({ text, shown }: Pick<ReleaseText, 'text' | 'shown'>): ReadFile {
  if (last?.text !== text || last.shown !== shown) last = { text, shown, parsed: readReleaseFile(text, shown) };
  return last.parsed;
}
