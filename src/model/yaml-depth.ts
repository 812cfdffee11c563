const MAX_DEPTH = 40;
const MAX_INDENT = 400;
/** Marks of keys and entries in one line: `a: b: c:` nests with each. */
const MOST_MARKS = 1_000;
/** Brackets that close and never opened; each is one more error to the parser. */
const MOST_STRAYS = 1_000;

/** Returns the first line of a YAML text that nests deeper than any file of ours or of upstream. Null if there is none. A parser takes
 * quadratic time on such a line, or overflows its stack. Nothing is parsed: quoted brackets count too. */
export function lineTooDeep(text: string): number | null {
  let [depth, strays] = [0, 0];
  for (const [index, line] of text.split('\n').entries()) {
    if (/^[ ]*/.exec(line)![0].length > MAX_INDENT || /^[ ]*([-?] ?){40}/.test(line)) return index + 1;
    if ((line.match(/[:?-](?=\s)/g)?.length ?? 0) > MOST_MARKS) return index + 1;
    for (const letter of line) {
      if (letter === '[' || letter === '{') depth++;
      else if (letter === ']' || letter === '}') depth -= 1;
      if (depth < 0) [depth, strays] = [0, strays + 1];
      if (depth > MAX_DEPTH || strays > MOST_STRAYS) return index + 1;
    }
  }
  return null;
}
