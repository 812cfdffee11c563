/** One line of a requirements file after its continuations, without comments. */
export interface Line {
  readonly text: string;
  /** Number of its first line, from 1. */
  readonly line: number;
}

const COMMENT = /(^| )#.*$/;

/** Joins continued lines and removes comments as pip does: a comment line ends a continuation. */
export function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let parts: string[] = [];
  let first = 0;
  const end = (): void => {
    // Blanks first: the time of later expressions must not grow with the square of a run of blanks.
    const whole = parts.join('').replace(/\s+/g, ' ').replace(COMMENT, '').trim();
    if (whole !== '') lines.push({ text: whole, line: first });
    parts = [];
  };
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    if (parts.length === 0) first = index + 1;
    const isComment = /^\s*#/.test(raw);
    const isContinued = raw.endsWith('\\') && !isComment;
    parts.push(isComment ? ` ${raw}` : isContinued ? raw.slice(0, -1) : raw);
    if (!isContinued) end();
  }
  if (parts.length > 0) end();
  return lines;
}
