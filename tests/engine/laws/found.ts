import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import type { Find } from './search.js';
import type { Law } from './law.js';

/** A world that once broke a law, kept as data: another generator does not lose it. */
export interface Row {
  readonly law: Law;
  /** What went wrong in it. */
  readonly found: string;
  readonly world: unknown;
}

/** The line to paste. */
export const rowOf = ({ law, world, cause }: Find): string =>
  JSON.stringify({ law, found: oneLine(cause).slice(0, 120), world });

/** Rows of a table, one JSON object a line. Throws all problems at once, each with its line. */
export function rowsOf(text: string, laws: readonly Law[], file: string): readonly Row[] {
  const problems: string[] = [];
  const rows = text.split('\n').flatMap((line, at): readonly Row[] => {
    if (line.trim() === '') return [];
    const read = rowIn(line, laws);
    if (typeof read !== 'string') return [read];
    problems.push(`${file}:${at + 1}: ${read}`);
    return [];
  });
  if (problems.length > 0) throw new Error(`WORLD_ROW_MALFORMED\n${problems.join('\n')}`);
  return rows;
}

/** The row, or why it is none. */
function rowIn(line: string, laws: readonly Law[]): Row | string {
  const row = parsed(line);
  if (row === null) return 'not a JSON object; paste the whole line that `npm run laws` prints';
  const missing = ['law', 'found', 'world'].filter((key) => !Object.hasOwn(row, key));
  if (missing.length > 0) return `no ${missing.map((key) => `"${key}"`).join(', ')}; paste the whole line again`;
  const law = laws.find(({ id }) => id === row['law']);
  if (law === undefined) return `no law "${String(row['law'])}" in list.ts; remove the row with its law`;
  if (typeof row['found'] !== 'string') return '"found" is no text; say in it what went wrong';
  if (!isWorld(law, row['world'])) return `no world of ${law.id}; give it the shape of ${example(law)}`;
  return { law, found: row['found'], world: row['world'] };
}

function parsed(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Whether the law's generator could have drawn it. */
export const isWorld = ({ worlds }: Law, world: unknown): boolean => worlds.canShrinkWithoutContext(world);

const example = ({ worlds }: Law): string =>
  JSON.stringify(fc.sample(worlds, { seed: 1, numRuns: 1 })[0]).slice(0, 300);

const oneLine = (text: string): string => stripVTControlCharacters(text).replace(/\s+/g, ' ').trim();
