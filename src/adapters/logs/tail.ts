/** Enough for an error message; longer lines are cut in memory, not in the log. */
const LONGEST_LINE = 2_000;
const LINES = 200;

/** The last lines of a stream of text, in bounded memory. */
export interface Tail {
  add(text: string): void;
  lines(count: number): readonly string[];
}

/** @param onLine called with each line that is complete, cut like those that are kept */
export function createTail(onLine: (line: string) => void = () => undefined): Tail {
  let done: string[] = [];
  let open = '';
  return {
    add(text) {
      const pieces = (open + text).split('\n');
      open = pieces.pop()!.slice(-LONGEST_LINE);
      for (const line of pieces) onLine(cut(line));
      done = [...done, ...pieces.slice(-LINES).map(cut)].slice(-LINES);
    },
    lines: (count) => [...done, ...(open === '' ? [] : [open])].slice(-count),
  };
}

const cut = (line: string): string => (line.length > LONGEST_LINE ? line.slice(0, LONGEST_LINE) : line);
