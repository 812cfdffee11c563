import type { Row, Rows } from '../../model/rows.js';

/** The sentence about a row, the same on every screen: `lxml==5.3.0: build: sdist only (requirements.txt:12)`. */
export function rowSentence({ subject, verdict, reason, origin }: Row): string {
  const place = origin === null ? '' : ` (${origin.file}${origin.line === undefined ? '' : `:${origin.line}`})`;
  return `${subject}: ${verdict}: ${reason}${place}`;
}

const all = ({ rows }: Rows): readonly Row[] => Object.values(rows).flat();

/** Returns the rows that this names: by subject or entry, else by the first word of the subject. */
export function rowsNamed(rows: Rows, said: string): readonly Row[] {
  const exact = all(rows).filter(({ subject, entry }) => subject === said || entry === said);
  return exact.length > 0 ? exact : all(rows).filter(({ subject }) => subject.split(/ |==/u)[0] === said);
}

/** Returns the rows whose subject or entry contains this. */
export const rowsWith = (rows: Rows, part: string): readonly Row[] =>
  all(rows).filter(({ subject, entry = '' }) => subject.includes(part) || entry.includes(part));
