/** Enough for an error message; longer lines are cut in memory, not in the log. */
const LONGEST_LINE = 2_000;
const LINES = 200;

/** The last lines of a stream of text, in bounded memory. */
export interface Tail {
  add(text: string): void;
  lines(count: number): readonly string[];
}

export function createTail(): Tail {
  let done: string[] = [];
  let open = '';
  return {
    add(text) {
      const pieces = (open + text).split('\n');
      open = pieces.pop()!.slice(-LONGEST_LINE);
      done = [...done, ...pieces.slice(-LINES).map((line) => line.slice(0, LONGEST_LINE))].slice(-LINES);
    },
    lines: (count) => [...done, ...(open === '' ? [] : [open])].slice(-count),
  };
}
