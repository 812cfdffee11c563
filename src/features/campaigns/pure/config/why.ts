import { quoted } from '../../../../importers/file-problem.js';
import { jsonOf, treeOf } from '../../../../importers/pyyaml/tree.js';
import { isObject } from '../../../../model/check.js';
import { fail, type SourceLocation } from '../../../../model/failure.js';
import type { Json, JsonObject } from '../../../../model/json.js';
import { seek } from './near.js';
import { isPath, type Path, pathText, readPath, referencesIn, startsWith } from './path.js';

/** Source of a value: a line of a file, a preset or an option. */
export interface From {
  /** Line of the assignment. An option is its own place: `--set service.port=1`. */
  readonly place: SourceLocation;
  readonly preset?: string;
  /** Presets from the asked one to the one that extends `preset`. Absent: `preset` was asked for. */
  readonly through?: readonly string[];
  /** Name of what asked for the preset: `--preset`, `config.apply`. */
  readonly by?: string;
}

/** One assignment of a value. */
export interface Assignment {
  /** `tests.args["x.y"][0]` */
  readonly path: string;
  readonly value: Json;
  readonly from: From;
}

/** `config.yaml:12:5`. */
export const placeText = ({ file, line, column }: SourceLocation): string =>
  [file, line, column].filter((part) => part !== undefined).join(':');

/** `preset light (config.yaml:12:5), which nightly extends, by --preset`. */
export function fromText({ place, preset, through, by }: From): string {
  if (preset === undefined) return placeText(place);
  const chain = (through ?? []).toReversed().map((name) => `, which ${name} extends`);
  return `preset ${preset} (${placeText(place)})${chain.join('')}${by === undefined ? '' : `, by ${by}`}`;
}

/** Assignments of the value at a path, and of values around and inside it, first to last. */
export function sourcesIn(all: readonly Assignment[], text: string): readonly Assignment[] {
  const path = readPath(text);
  if (!isPath(path)) return [];
  return all.filter((one) => {
    const other = readPath(one.path);
    return isPath(other) && (startsWith(path, other) || startsWith(other, path));
  });
}

/** Document and sources, as they are stored with a plan. */
export interface ConfigRecord {
  readonly document: Json;
  /** Assignments of presets, in order, with their paths as written. */
  readonly applied: readonly Assignment[];
  /** Every assignment, of each leaf of the file too. */
  readonly assignments: readonly Assignment[];
}

/** A value of a configuration, and all assignments of it, first to last. */
export interface WhyValue {
  readonly path: string;
  readonly value: Json;
  readonly sources: readonly Assignment[];
  /** The last assignment of each value that it refers to. */
  readonly behind: readonly Assignment[];
}

/** Why a value is what it is. Throws CONFIG_PATH and CONFIG_UNKNOWN_KEY. */
export function whyValue(record: JsonObject, text: string): WhyValue {
  const { document, assignments } = record as unknown as ConfigRecord;
  const found = seek(treeOf(document), text);
  if ('code' in found) throw fail(found);
  const sources = sourcesIn(assignments, text);
  return { path: text, value: jsonOf(found.value), sources, behind: behind(assignments, sources) };
}

const MOST_LINES = 30;

function behind(all: readonly Assignment[], sources: readonly Assignment[]): readonly Assignment[] {
  const last = [...new Map(sources.map((one) => [one.path, one])).values()];
  const paths = new Set(last.flatMap(namedBy));
  const found: Assignment[] = [];
  for (const path of paths) {
    const own = sourcesIn(all, path).at(-1);
    if (own === undefined || found.length === MOST_LINES) continue;
    found.push(own);
    for (const other of namedBy(own)) paths.add(other);
  }
  return found;
}

const namedBy = ({ value }: Assignment): readonly string[] => (typeof value === 'string' ? referencesIn(value) : []);

/** The value first, then each assignment with its source, and what it replaced. */
export function whyValueLines({ path, value, sources, behind: named }: WhyValue): readonly string[] {
  const lines = sources.slice(0, MOST_LINES).map((one, index) => {
    const hidden = sources.slice(0, index).findLast((former) => former.path === one.path);
    const name = one.path === path ? '' : `${one.path} `;
    return `  ${fromText(one.from)}: ${name}${quoted(one.value)}${hidden ? `, in place of ${quoted(hidden.value)}` : ''}`;
  });
  const more = sources.length - MOST_LINES;
  return [
    `config.${path} is ${quoted(value)}`,
    ...lines,
    ...(more > 0 ? [`  and ${more} more: --json`] : []),
    ...named.map((one) => `  @${one.path} is of ${fromText(one.from)}: ${quoted(one.value)}`),
  ];
}

type ValueRow = readonly [path: string, value: string, source: string];

/** Each leaf of a document: its path, its value and the source of its last assignment. */
export const valueRows = (record: JsonObject): readonly ValueRow[] => rowsOf(record, () => true, Infinity);

/** Characters of paths and sources that are read to tell what changed: the worker of control has other work. */
const MOST_READ = 1_000_000;

/** Values that a preset or an option changed, of the first paths of the document. */
export const changedRows = (record: JsonObject): readonly ValueRow[] =>
  rowsOf(record, (from) => from?.preset !== undefined || from?.place.file.startsWith('--') === true, MOST_READ);

function rowsOf(record: JsonObject, isTold: (from?: From) => boolean, most: number): readonly ValueRow[] {
  const { document, assignments } = record as unknown as ConfigRecord;
  const last = new Map(assignments.map(({ path }, index) => [path, index]));
  const rows: ValueRow[] = [];
  let room = most;
  const walk = (value: Json, path: Path, around: number): void => {
    if (room < 0) return;
    const text = pathText(path);
    room -= text.length;
    const newest = Math.max(around, last.get(text) ?? -1);
    const inner = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
    for (const [key, one] of inner) walk(one as Json, [...path, key], newest);
    const from = assignments[newest]?.from;
    if (inner.length > 0 || !isTold(from)) return;
    rows.push([text, quoted(value), from ? fromText(from) : '']);
    room -= rows.at(-1)![2].length;
  };
  walk(document, [], -1);
  return rows;
}
