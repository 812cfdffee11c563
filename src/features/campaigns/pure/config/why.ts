import { quoted } from '../../../../importers/file-problem.js';
import { jsonOf, treeOf } from '../../../../importers/pyyaml/tree.js';
import { fail } from '../../../../model/failure.js';
import type { Json, JsonObject } from '../../../../model/json.js';
import { eachLeaf } from './document.js';
import { type Assignment, type From, fromText, sourcesIn } from './from.js';
import { seek } from './near.js';
import { pathText } from './path.js';

/** Document and sources, as they are stored with a plan. */
export interface ConfigRecord {
  readonly document: Json;
  readonly assignments: readonly Assignment[];
}

/** A value of a configuration, and all assignments of it, first to last. */
export interface WhyValue {
  readonly path: string;
  readonly value: Json;
  readonly sources: readonly Assignment[];
}

/** Why a value is what it is. Throws CONFIG_PATH and CONFIG_UNKNOWN_KEY. */
export function whyValue(record: JsonObject, text: string): WhyValue {
  const { document, assignments } = record as unknown as ConfigRecord;
  const found = seek(treeOf(document), text);
  if (typeof found === 'function') throw fail(found());
  return { path: text, value: jsonOf(found.value), sources: sourcesIn(assignments, text) };
}

const MOST_LINES = 30;

/** The value first, then each assignment with its source, and what it replaced. */
export function whyValueLines({ path, value, sources }: WhyValue): readonly string[] {
  const lines = sources.map((one, index) => {
    const hidden = sources.slice(0, index).findLast((former) => former.path === one.path);
    const name = one.path === path ? '' : `${one.path} `;
    return `  ${fromText(one.from)}: ${name}${quoted(one.value)}${hidden ? `, in place of ${quoted(hidden.value)}` : ''}`;
  });
  const more = lines.length - MOST_LINES;
  return [
    `config.${path} is ${quoted(value)}`,
    ...lines.slice(0, MOST_LINES),
    ...(more > 0 ? [`  and ${more} more: --json`] : []),
  ];
}

type ValueRow = readonly [path: string, value: string, source: string];

/** Each leaf of a document: its path, its value and the source of its last assignment. */
export const valueRows = (record: JsonObject): readonly ValueRow[] => rowsOf(record, () => true);

/** Those that a preset or an option changed. */
export const changedRows = (record: JsonObject): readonly ValueRow[] =>
  rowsOf(record, (from) => from !== undefined && (from.preset !== undefined || from.place.file.startsWith('--')));

function rowsOf(record: JsonObject, isTold: (from?: From) => boolean): readonly ValueRow[] {
  const { document, assignments } = record as unknown as ConfigRecord;
  const last = new Map(assignments.map(({ path }, index) => [path, index]));
  const rows: ValueRow[] = [];
  eachLeaf(treeOf(document), [], (path, leaf) => {
    const around = path.map((_, index) => last.get(pathText(path.slice(0, index + 1))) ?? -1);
    const source = assignments[Math.max(...around)];
    if (isTold(source?.from))
      rows.push([pathText(path), quoted(jsonOf(leaf)), source === undefined ? '' : fromText(source.from)]);
  });
  return rows;
}
