import type { Outcome } from '../../model/tests/outcome.js';
import { jsonText } from '../postgres/json-text.js';

/** A row of the table `outcome`: the record of that name, and the test of its path. */
export interface Row extends Outcome {
  readonly name: string;
  readonly test: string;
}

type Value = string | number | boolean | null;
type Column = readonly [type: string, of: (row: Row) => Value];

/** PostgreSQL refuses NUL in a text. */
const text = (of: (row: Row) => string | null): Column => [
  'text',
  (row) => of(row)?.replaceAll('\0', '\ufffd') ?? null,
];
const integer = (of: (row: Row) => number | null): Column => ['integer', of];

/** Columns of the table `outcome` by name. */
const COLUMNS: Readonly<Record<string, Column>> = {
  name: text(({ name }) => name),
  pipeline: text(({ pipeline }) => pipeline),
  label: text(({ label }) => label),
  profile: text(({ profile }) => profile),
  run: text(({ run }) => run),
  step: text(({ step }) => step),
  test: text(({ test }) => test),
  title: text(({ title }) => title),
  repeat: integer(({ repeat }) => repeat),
  attempt: integer(({ attempt }) => attempt),
  at: ['timestamptz', ({ at }) => at],
  ms: ['bigint', ({ ms }) => Math.round(ms)],
  branch: text(({ branch }) => branch),
  commit: text(({ commit }) => commit),
  code: text(({ code }) => code),
  class: text((row) => row.class),
  message: text(({ message }) => message),
  phase: text(({ phase }) => phase),
  exit: integer(({ exit }) => exit),
  return_code: integer(({ returnCode }) => returnCode),
  owner: text(({ owner }) => owner),
  smoke: ['boolean', ({ smoke }) => smoke],
  stable: ['boolean', ({ stable }) => stable],
  nodes_seen: integer(({ nodes }) => nodes.seen),
  nodes_lost: integer(({ nodes }) => nodes.lost.length),
  crash_pattern: text(({ crashPattern }) => crashPattern),
  tags: ['jsonb', ({ tags }) => jsonText(tags)],
  results: ['jsonb', ({ results }) => (results === null ? null : jsonText(results))],
};

const all = Object.values(COLUMNS);

/** Inserts rows whose name is new. Its parameters are arrays, one for each column: as one JSON text, the rows take PostgreSQL more
 * than twice as long. */
export const INSERT = `insert into outcome (${Object.keys(COLUMNS).join(', ')})
select * from unnest(${all.map(([type], at) => `$${at + 1}::${type}[]`).join(', ')}) on conflict do nothing`;

/** Parameters of INSERT. */
export const parametersOf = (rows: readonly Row[]): readonly (readonly Value[])[] =>
  all.map(([, of]) => rows.map((row) => of(row)));
