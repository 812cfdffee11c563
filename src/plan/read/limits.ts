import type { Problem } from '../../model/failure.js';
import { lineTooDeep } from '../../model/yaml-depth.js';
import { problems } from '../errors.js';

/** Limit of a release file's size. The YAML library takes quadratic time on broken flow maps: half a second at this
 * size. */
export const MAX_FILE_BYTES = 262_144;

/** Returns why a text is refused before parsing, because it could overflow the parser's stack. Null if it is sound. */
export function refusal(text: string, file: string): Problem | null {
  // Only a rough limit: bytes may exceed code units, and the reader of the bytes checks the exact size.
  if (text.length > MAX_FILE_BYTES) return problems.tooBig({ place: { file } }, text.length);
  const nul = text.indexOf('\0');
  if (nul >= 0) return problems.binary({ place: { file, line: lineOf(text, nul) } }, 'it holds a NUL byte');
  const broken = text.indexOf('\uFFFD');
  if (broken >= 0) return problems.binary({ place: { file, line: lineOf(text, broken) } }, 'it is not valid UTF-8');
  const deep = lineTooDeep(text);
  return deep === null ? null : problems.tooDeep({ place: { file, line: deep } });
}

const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length;
