/** Draws a block of lines over the one before it. */
export interface Screen {
  draw(lines: readonly string[]): void;
  /** Moves the cursor below the drawing. `lines` replace the drawing. */
  close(lines?: readonly string[]): void;
}

const ESCAPE = String.fromCharCode(27);
const up = (rows: number): string => (rows > 0 ? `${ESCAPE}[${rows}A` : '');
const CLEAR_BELOW = `\r${ESCAPE}[J`;
const HIDE = `${ESCAPE}[?25l`;
const SHOW = `${ESCAPE}[?25h`;

/** @param write to a terminal, the text as it is */
export function createScreen(write: (text: string) => void): Screen {
  let height = 0;
  let hidden = false;
  const put = (lines: readonly string[]): void => {
    write(`${hidden ? '' : HIDE}${up(height)}${CLEAR_BELOW}${lines.map((line) => `${line}\n`).join('')}`);
    hidden = true;
    height = lines.length;
  };
  return {
    draw: put,
    close(lines) {
      if (lines) put(lines);
      if (hidden) write(SHOW);
      hidden = false;
      height = 0;
    },
  };
}
