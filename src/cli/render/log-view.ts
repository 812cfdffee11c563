import type { LogPiece } from '../../activities/ports.js';
import { shown } from '../../model/shown.js';

/** Prefix of our own lines. A line of a program that begins so is shown behind `output: `. */
const OURS = /^\s*slipway:/i;

/** Characters of one line that are kept until it ends. */
const LONGEST_LINE = 1 << 16;

/** Shows the pieces of a log line by line: hidden characters can be seen, and our own lines are told from forged ones. */
export interface LogView {
  push(piece: LogPiece): void;
  /** Shows a last line without an end. */
  end(): void;
}

export function createLogView(write: (text: string) => void): LogView {
  let open = '';
  const put = (line: string, isOurs: boolean): void => {
    const safe = shown(line);
    write(`${!isOurs && OURS.test(safe) ? 'output: ' : ''}${safe}\n`);
  };
  const end = (): void => {
    if (open !== '') put(open.replace(/\r$/, ''), false);
    open = '';
  };
  const program = (text: string): void => {
    // A piece may be cut between the two characters of one end of a line.
    const lines = (open + text).split(/\r\n|\r(?!$)|\n/);
    open = lines.pop()!;
    for (const line of lines) put(line, false);
    if (open.length > LONGEST_LINE) end();
  };
  return {
    push({ text, own }) {
      let at = 0;
      for (const [from, to] of own) {
        program(text.slice(at, from));
        end();
        for (const line of text.slice(from, to).trimEnd().split('\n')) put(line, true);
        at = to;
      }
      program(text.slice(at));
    },
    end,
  };
}
