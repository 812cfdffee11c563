import type { Problem } from '../../model/failure.js';
import { problems } from '../errors.js';

export const MAX_FILE_BYTES = 1_048_576;
const MAX_DEPTH = 40;
const MAX_INDENT = 400;

/** What is refused before a parser sees it: a parser may overflow the stack on it. Null when sound. */
export function refusal(text: string, file: string): Problem | null {
  // Four bytes at most stand behind two code units: the exact size is checked where bytes are read.
  if (text.length > MAX_FILE_BYTES) return problems.tooBig({ place: { file } }, text.length);
  const nul = text.indexOf('\0');
  if (nul >= 0) return problems.binary({ place: { file, line: lineOf(text, nul) } }, 'it holds a NUL byte');
  const broken = text.indexOf('\uFFFD');
  if (broken >= 0) return problems.binary({ place: { file, line: lineOf(text, broken) } }, 'it is not valid UTF-8');
  const deep = firstTooDeep(text);
  return deep === null ? null : problems.tooDeep({ place: { file, line: deep } });
}

const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length;

/** Counts brackets and indents without parsing: quoted brackets count too, which no real file minds. */
function firstTooDeep(text: string): number | null {
  let depth = 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (/^[ ]*/.exec(line)![0].length > MAX_INDENT || /^[ ]*(- ?){40}/.test(line)) return index + 1;
    for (const letter of line) {
      if (letter === '[' || letter === '{') depth++;
      else if (letter === ']' || letter === '}') depth = Math.max(0, depth - 1);
      if (depth > MAX_DEPTH) return index + 1;
    }
  }
  return null;
}
