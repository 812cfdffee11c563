/** Longer lines are cut in memory, not in the log. */
const LONGEST_LINE = 2_000;
const LINES = 200;

export interface Tail {
  add(text: string): void;
  lines(count: number): readonly string[];
}

/** @param onLine called with each complete line, cut to LONGEST_LINE */
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
