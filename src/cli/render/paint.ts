import picocolors from 'picocolors';

export type Colours = ReturnType<typeof picocolors.createColors>;

/** Colours, or functions that leave the text as it is. */
export const colours = (enabled: boolean): Colours => picocolors.createColors(enabled);

const ESCAPE = String.fromCharCode(27);
const SEQUENCES = new RegExp(`${ESCAPE}\\[[0-9;]*m`, 'g');
const NEXT_SEQUENCE = new RegExp(SEQUENCES.source, 'y');

/** Cuts a line to `columns` characters, colours not counted; `…` shows the cut. */
export function clip(line: string, columns: number): string {
  if (line.replace(SEQUENCES, '').length <= columns) return line;
  let text = '';
  for (let at = 0, shown = 0; shown < columns - 1;) {
    NEXT_SEQUENCE.lastIndex = at;
    const piece = NEXT_SEQUENCE.exec(line)?.[0] ?? line[at]!;
    if (piece.length === 1) shown += 1;
    text += piece;
    at += piece.length;
  }
  return `${text}…${text.includes(ESCAPE) ? `${ESCAPE}[0m` : ''}`;
}

/** Text from outside: nothing that a build prints can move our cursor or hide. */
export { shown as plain } from '../../model/shown.js';

/** Columns of a table, each as wide as its widest cell; the last one is not padded. */
export function table(rows: readonly (readonly string[])[], gap = '  '): string[] {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column]!)))
      .join(gap)
      .trimEnd(),
  );
}

/** A title and the lines below it. Nothing for no lines. */
export const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', title, ...lines];

/** Lines of the first rows, then a count of the rest with the command that shows all. */
export const first = <T>(
  rows: readonly T[],
  most: number,
  draw: (rows: readonly T[]) => readonly string[],
  all: string,
): readonly string[] => [
  ...draw(rows.slice(0, most)),
  ...(rows.length > most ? [`  and ${rows.length - most} more: ${all}`] : []),
];
