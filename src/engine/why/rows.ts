import { normalName } from '../../model/python/file-name.js';
import { placed } from '../../model/failure.js';
import type { Row, Rows } from '../../model/rows.js';

/** The sentence about a row, the same on every screen: `lxml==5.3.0: build: sdist only (requirements.txt:12)`. */
export function rowSentence({ subject, verdict, reason, origin }: Row): string {
  const place = origin === null ? '' : ` (${origin.file}${origin.line === undefined ? '' : `:${origin.line}`})`;
  return `${subject}: ${verdict}: ${reason}${place}`;
}

/** Sentences about the rules of a row: `env/spack.yaml:17 sets tags: spack, small`. */
export const trailLines = ({ trail = [] }: Row): readonly string[] =>
  trail.map(({ key, words, value, place }) => `  ${placed(place)} ${words} ${key}: ${value}`);

const all = ({ rows }: Rows): readonly Row[] => Object.values(rows).flat();

/** Returns the rows that this names: by subject or entry, by the first digits of a hash (`/gccypu6`), else by the first word of the
 * subject in any spelling, with or without its version: `lxml==5.3.0`, `ncurses@6.4`. */
export function rowsNamed(rows: Rows, said: string): readonly Row[] {
  const exact = all(rows).filter(({ subject, entry }) => subject === said || entry === said);
  if (exact.length > 0) return exact;
  if (/^\/\w+$/.test(said)) return all(rows).filter((row) => hashIn(row) !== null && isSameHash(hashIn(row)!, said));
  const [named, ...version] = said.split(VERSION);
  return all(rows).filter(({ subject }) => {
    const [project = '', wanted] = subject.split(' ')[0]!.split(VERSION);
    return normalName(project) === normalName(named!) && (version.length === 0 || version[0] === wanted);
  });
}

const VERSION = /==|@/;
const hashIn = ({ subject }: Row): string | null => /(?<= )\/\w+$/.exec(subject)?.[0] ?? null;
/** A subject has the first digits alone. */
const isSameHash = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one);

/** Returns the rows whose subject or entry contains this. */
export const rowsWith = (rows: Rows, part: string): readonly Row[] =>
  all(rows).filter(({ subject, entry = '' }) => subject.includes(part) || entry.includes(part));
