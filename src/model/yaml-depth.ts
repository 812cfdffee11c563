const MAX_DEPTH = 40;
const MAX_INDENT = 400;
/** Limit of key and entry marks in one line: each nests in `a: b: c:`. */
const MOST_MARKS = 1_000;
/** Limit of closing brackets without an opening. The parser reports each as an error. */
const MOST_STRAYS = 1_000;

/** Returns the first line of a YAML text that nests too deep. Null if there is none. A parser takes quadratic time on
 * such a line, or overflows its stack. Quoted brackets count too. */
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
