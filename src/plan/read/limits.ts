import type { Problem } from '../../model/failure.js';
import { lineTooDeep } from '../../model/yaml-depth.js';
import { problems } from '../errors.js';

/** A release file is some kB. The YAML library takes quadratic time on broken flow maps: half a second for this much. */
export const MAX_FILE_BYTES = 262_144;

/** Returns why a text is refused before it is parsed: a parser could overflow the stack on it. Null if it is sound. */
export function refusal(text: string, file: string): Problem | null {
  // Four bytes at most stand behind two code units: the exact size is checked where bytes are read.
  if (text.length > MAX_FILE_BYTES) return problems.tooBig({ place: { file } }, text.length);
  const nul = text.indexOf('\0');
  if (nul >= 0) return problems.binary({ place: { file, line: lineOf(text, nul) } }, 'it holds a NUL byte');
  const broken = text.indexOf('\uFFFD');
  if (broken >= 0) return problems.binary({ place: { file, line: lineOf(text, broken) } }, 'it is not valid UTF-8');
  const deep = lineTooDeep(text);
  return deep === null ? null : problems.tooDeep({ place: { file, line: deep } });
}

const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length;
