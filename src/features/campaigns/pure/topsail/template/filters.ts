import { fail } from '../../../../../model/failure.js';
import { quoted } from '../../../../../importers/file-problem.js';
import { didYouMean } from '../../../../../model/suggest.js';
import { template } from '../errors.js';
import { listBy, textBy, within } from './arguments.js';
import {
  type Dict,
  isDict,
  isList,
  isTrue,
  jsonText,
  numberOf,
  ownOf,
  said,
  sizeOf,
  textOf,
  type Value,
} from './python.js';
import { MOST, type Work } from './work.js';

type Run = (value: Value, args: readonly Value[], work: Work) => Value;
export interface Filter {
  /** Names of its parameters, in order. */
  readonly takes: readonly string[];
  readonly run: Run;
}

const filter = (takes: readonly string[], run: Run): Filter => ({ takes, run });
const ofText =
  (run: (text: string) => string): Run =>
  (value, _, work) =>
    work.made(run(textOf(value, work)));

function replaced(value: Value, [from, to]: readonly Value[], work: Work): string {
  const [text, before, after] = [textOf(value, work), textBy(from, work), textBy(to, work)];
  if (before === '') throw work.unsupported('replacing of an empty text', 'Name the text to replace');
  const parts = text.split(before);
  work.make(text.length + (parts.length - 1) * (after.length + 1));
  return parts.join(after);
}

function indented(value: Value, [width = 4, first, blank]: readonly Value[], work: Work): string {
  const lines = textBy(value, work).split('\n');
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

const upper = ofText((text) => text.toUpperCase());
const lower = ofText((text) => text.toLowerCase());
const trim = ofText((text) => text.trim());

export const FILTERS: Readonly<Record<string, Filter>> = {
  default: filter(['default_value', 'boolean'], otherwise),
  d: filter(['default_value', 'boolean'], otherwise),
  or_env: filter(['attribute'], orEnvironment),
  raise_exception: filter([], (value, _, work) => {
    throw fail(template.raised(work.place, textOf(value, work).slice(0, 200)));
  }),
  log_warning: filter([], (value, _, work) => {
    if (work.warnings.length < MOST.problems) work.warnings.push({ at: work.at, text: textOf(value, work) });
    return null;
  }),
  string: filter([], (value, _, work) => textOf(value, work)),
  ...{ upper: filter([], upper), lower: filter([], lower), trim: filter([], trim) },
  replace: filter(['old', 'new'], replaced),
  indent: filter(['width', 'first', 'blank'], indented),
  join: filter(['d'], joined),
  tojson: filter([], (value, _, work) => jsonText(value, work)),
  length: filter([], lengthOf),
};

function lengthOf(value: Value, _: readonly Value[], work: Work): number {
  if (typeof value !== 'string' && !isList(value) && !isDict(value)) throw work.wrong(`${said(value)} has no length`);
  if (typeof value === 'string') work.step(value.length >> 6);
  return sizeOf(value);
}

/** Throws TEMPLATE_NOT_SUPPORTED for a name that is not in the table. */
export function pick<T>(table: Readonly<Record<string, T>>, name: string, kind: string, work: Work): T {
  const known = Object.keys(table);
  if (!Object.hasOwn(table, name))
    throw work.unsupported(`${kind} ${quoted(name)}`, `Use one of ${known.join(', ')}`, didYouMean(name, known));
  return table[name]!;
}

export const TESTS: Readonly<Record<string, (value: Value) => boolean>> = {
  defined: (value) => value !== undefined,
  undefined: (value) => value === undefined,
  none: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  number: (value) => numberOf(value) !== null,
  mapping: isDict,
};

function split(own: Value, [between]: readonly Value[], work: Work): Value {
  const text = textBy(own, work);
  work.make(2 * text.length);
  if (between === undefined || between === null) return text.trim() === '' ? [] : text.trim().split(/\s+/);
  if (between === '') throw work.wrong('split has an empty separator');
  return text.split(textBy(between, work));
}

export const TEXT_METHODS: Readonly<Record<string, Run>> = {
  ...{ split, upper, lower, strip: trim, replace: replaced },
  startswith: (own, [part], work) => textBy(own, work).startsWith(textBy(part, work)),
  endswith: (own, [part], work) => textBy(own, work).endsWith(textBy(part, work)),
};

export const DICT_METHODS: Readonly<Record<string, Run>> = {
  items: (own, _, work) => listBy(own, work).map((key) => [key, (own as Dict)[String(key)]]),
  keys: (own, _, work) => listBy(own, work),
  values: (own, _, work) => listBy(own, work).map((key) => (own as Dict)[String(key)]),
  get: (own, [key, instead = null], work) => ownOf(own as Dict, textBy(key, work)) ?? instead,
};
