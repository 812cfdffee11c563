import { fail } from '../../../../../model/failure.js';
import { didYouMean } from '../../../../../model/suggest.js';
import { template } from '../errors.js';
import { numberBy, listBy, textBy, within } from './arguments.js';
import {
  type Dict,
  floatOf,
  isDict,
  isEqual,
  isFloat,
  isList,
  isTrue,
  jsonText,
  numberOf,
  said,
  sizeOf,
  textOf,
  type Value,
} from './python.js';
import type { Work } from './work.js';

export interface Filter {
  /** Names of its parameters, in order. */
  readonly takes: readonly string[];
  run(value: Value, args: readonly Value[], work: Work): Value;
}

const filter = (takes: readonly string[], run: Filter['run']): Filter => ({ takes, run });
const ofText = (run: (text: string) => string): Filter =>
  filter([], (value, _, work) => work.made(run(textOf(value, work))));

export const replaced = (text: string, [from, to]: readonly Value[], work: Work): string => {
  const [before, after] = [textBy(from, work), textBy(to, work)];
  if (before === '') throw work.unsupported('replacing of an empty text', 'Name the text to replace');
  const parts = text.split(before);
  work.make(text.length + (parts.length - 1) * (after.length + 1));
  return parts.join(after);
};

function indented(value: Value, [width = 4, first, blank]: readonly Value[], work: Work): string {
  const lines = textOf(value, work).split('\n');
  const margin = ' '.repeat(within(width, 100, work));
  work.make(lines.length * (margin.length + 1));
  const isIndented = (line: string, index: number): boolean =>
    index === 0 ? isTrue(first) : line !== '' || isTrue(blank);
  return work.made(lines.map((line, index) => (isIndented(line, index) ? margin + line : line)).join('\n'));
}

function joined(value: Value, [between = '']: readonly Value[], work: Work): string {
  const texts = listBy(value, work).map((one) => textOf(one, work));
  const mark = textBy(between, work);
  work.make(texts.length * (mark.length + 1) + texts.reduce((sum, { length }) => sum + length, 0));
  return texts.join(mark);
}

function ordered(value: Value, [reverse]: readonly Value[], work: Work): Value {
  const list = listBy(value, work);
  work.make(list.length);
  const keys = list.map((one) => (typeof one === 'string' ? work.made(one).toLowerCase() : numberOf(one)));
  const kinds = new Set(keys.map((key) => typeof key));
  if (kinds.size > 1 || keys.includes(null)) throw work.wrong('sort takes texts alone, or numbers alone');
  const order = [...list.keys()].sort(
    (a, b) => (isTrue(reverse) ? -1 : 1) * (keys[a]! < keys[b]! ? -1 : keys[a]! > keys[b]! ? 1 : 0),
  );
  return order.map((index) => list[index]);
}

function unique(value: Value, _: readonly Value[], work: Work): Value {
  const kept: Value[] = [];
  for (const one of listBy(value, work)) if (!kept.some((other) => isEqual(one, other, work))) kept.push(one);
  work.make(kept.length);
  return kept;
}

const NUMBER = /^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$/;
const numberIn = (value: Value): number | null =>
  typeof value !== 'string' ? numberOf(value) : value.length < 40 && NUMBER.test(value) ? Number(value) : null;

const wholeOf = (value: Value, [instead = 0]: readonly Value[], work: Work): Value => {
  const number = numberIn(value);
  return number === null ? instead : within(Math.trunc(number), Number.MAX_SAFE_INTEGER, work);
};

const ENVIRONMENT = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The variable is not there while planning: the result refers to it. */
function orEnvironment(value: Value, [name]: readonly Value[], work: Work): Value {
  if (isTrue(value)) return value;
  if (typeof name !== 'string' || !ENVIRONMENT.test(name))
    throw work.wrong(`or_env names a variable, not ${said(name)}`);
  work.references.add(`$${name}`);
  return `$${name}`;
}

/** `default`. A variable of the environment counts as absent with `true`. */
const otherwise = (value: Value, [instead = '', also]: readonly Value[], work: Work): Value =>
  value === undefined || (isTrue(also) && (!isTrue(value) || work.references.has(String(value)))) ? instead : value;

/** Filters whose operand may be undefined. */
export const OF_ABSENT: readonly string[] = ['default', 'd'];

export const FILTERS: Readonly<Record<string, Filter>> = {
  default: filter(['default_value', 'boolean'], otherwise),
  d: filter(['default_value', 'boolean'], otherwise),
  or_env: filter(['attribute'], orEnvironment),
  raise_exception: filter([], (value, _, work) => {
    throw fail(template.raised(work.place, textOf(value, work)));
  }),
  log_warning: filter([], (value, _, work) => {
    work.warnings.push({ at: work.at, text: textOf(value, work) });
    return null;
  }),
  string: filter([], (value, _, work) => textOf(value, work)),
  upper: ofText((text) => text.toUpperCase()),
  lower: ofText((text) => text.toLowerCase()),
  capitalize: ofText((text) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()),
  trim: ofText((text) => text.trim()),
  replace: filter(['old', 'new'], (value, args, work) => replaced(textOf(value, work), args, work)),
  indent: filter(['width', 'first', 'blank'], indented),
  join: filter(['d'], joined),
  tojson: filter([], (value, _, work) => jsonText(value, work)),
  int: filter(['default'], wholeOf),
  float: filter([], (value) => floatOf(numberIn(value) ?? 0)),
  abs: filter([], (value, _, work) =>
    isFloat(value) ? floatOf(Math.abs(numberBy(value, work))) : Math.abs(numberBy(value, work)),
  ),
  length: filter([], (value, _, work) => lengthOf(value, work)),
  count: filter([], (value, _, work) => lengthOf(value, work)),
  list: filter([], (value, _, work) => listBy(value, work)),
  first: filter([], (value, _, work) => listBy(value, work)[0]),
  last: filter([], (value, _, work) => listBy(value, work).at(-1)),
  sort: filter(['reverse'], ordered),
  unique: filter([], unique),
  items: filter([], (value, _, work) => itemsOf(value, work)),
};

export function itemsOf(value: Value, work: Work): Value {
  if (!isDict(value)) throw work.wrong(`items are those of a map, not of ${said(value)}`);
  work.make(3 * sizeOf(value));
  return Object.entries(value);
}

function lengthOf(value: Value, work: Work): number {
  if (typeof value !== 'string' && !isList(value) && !isDict(value)) throw work.wrong(`${said(value)} has no length`);
  if (typeof value === 'string') work.step(value.length >> 6);
  return sizeOf(value);
}

/** Throws TEMPLATE_NOT_SUPPORTED for a name that is not in the table. */
export function pick<T>(table: Readonly<Record<string, T>>, name: string, kind: string, work: Work): T {
  if (!Object.hasOwn(table, name))
    throw work.unsupported(
      `${kind} ${JSON.stringify(name)}${didYouMean(name, Object.keys(table))}`,
      `Use one of ${Object.keys(table).join(', ')}`,
    );
  return table[name]!;
}

export const TESTS: Readonly<Record<string, (value: Value) => boolean>> = {
  defined: (value) => value !== undefined,
  undefined: (value) => value === undefined,
  none: (value) => value === null,
  true: (value) => value === true,
  false: (value) => value === false,
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  number: (value) => numberOf(value) !== null,
  integer: (value) => typeof value === 'number' && !isFloat(value),
  float: isFloat,
  mapping: isDict,
  sequence: (value) => typeof value === 'string' || isList(value) || isDict(value),
  iterable: (value) => typeof value === 'string' || isList(value) || isDict(value),
};

type Method = (own: never, args: readonly Value[], work: Work) => Value;
const ofWords =
  (run: (text: string) => string): Method =>
  (own: string, _, work) =>
    work.made(run(own));
const begins =
  (is: (text: string, with_: string) => boolean): Method =>
  (own: string, [part], work) =>
    is(own, textBy(part, work));

function split(own: string, [between]: readonly Value[], work: Work): Value {
  work.make(2 * own.length);
  if (between === undefined || between === null) return own.trim() === '' ? [] : own.trim().split(/\s+/);
  if (between === '') throw work.wrong('split has an empty separator');
  return own.split(textBy(between, work));
}

export const TEXT_METHODS: Readonly<Record<string, Method>> = {
  split,
  replace: replaced,
  upper: ofWords((text) => text.toUpperCase()),
  lower: ofWords((text) => text.toLowerCase()),
  strip: ofWords((text) => text.trim()),
  lstrip: ofWords((text) => text.trimStart()),
  rstrip: ofWords((text) => text.trimEnd()),
  startswith: begins((text, part) => text.startsWith(part)),
  endswith: begins((text, part) => text.endsWith(part)),
  join: (own: string, [list], work) => joined(list, [own], work),
};

export const DICT_METHODS: Readonly<Record<string, Method>> = {
  items: (own: Dict, _, work) => itemsOf(own, work),
  keys: (own: Dict, _, work) => listBy(own, work),
  values: (own: Dict, _, work) => listBy(own, work).map((key) => own[String(key)]),
  get: (own: Dict, [key, instead = null], work) => (Object.hasOwn(own, textBy(key, work)) ? own[String(key)] : instead),
};
