import { fail } from '../../../../../model/failure.js';
import { template } from '../errors.js';
import {
  floatOf,
  isDict,
  isEqual,
  isFloat,
  isList,
  isTrue,
  htmlSafeJson,
  numberOf,
  described,
  sizeOf,
  textOf,
  type Value,
} from './values.js';
import type { Work } from './work.js';

/** A filter, test, method or function. The value before its name comes first. It counts the size of what it makes before it makes it. */
export type Operation = (work: Work, ...values: readonly Value[]) => Value;
type Table = Readonly<Record<string, Operation>>;

const ENVIRONMENT = /^[A-Za-z_][A-Za-z0-9_]*$/;
const textual =
  (run: (text: string) => string): Operation =>
  (work, value) =>
    work.made(run(textOf(value, work)));

const FILTERS: Table = {
  /** A variable of the environment counts as absent with `true`. */
  default: (work, value, instead, also) =>
    value === undefined || (isTrue(also) && (!isTrue(value) || work.references.has(String(value))))
      ? (instead ?? '')
      : value,
  /** The variable is not there while planning: the result refers to it. */
  or_env: (work, value, name) => {
    if (isTrue(value)) return value;
    if (typeof name !== 'string' || !ENVIRONMENT.test(name))
      throw work.wrong(`or_env names a variable, not ${described(name)}`);
    work.references.add(`$${name}`);
    return `$${name}`;
  },
  raise_exception: (work, value) => {
    throw fail(template.raised(work.place, textOf(value, work).slice(0, 200)));
  },
  log_warning: (_work, _value) => null,
  string: (work, value) => textOf(value, work),
  ...{ upper: textual((text) => text.toUpperCase()), lower: textual((text) => text.toLowerCase()) },
  trim: textual((text) => text.trim()),
  replace: (work, value, from, to) => {
    const [text, before, after] = [textOf(value, work), textBy(from, work), textBy(to, work)];
    if (before === '') throw work.unsupported('replacing of an empty text', 'Name the text to replace');
    const parts = text.split(before);
    work.make(text.length + (parts.length - 1) * (after.length + 1));
    return parts.join(after);
  },
  join: (work, value, between) => {
    const texts = listBy(value, work).map((one) => textOf(one, work));
    const mark = textBy(between ?? '', work);
    work.make(texts.reduce((sum, { length }) => sum + length + mark.length + 1, 0));
    return texts.join(mark);
  },
  tojson: (work, value) => htmlSafeJson(value, work),
  length: (work, value) => {
    if (typeof value !== 'string' && !isList(value) && !isDict(value))
      throw work.wrong(`${described(value)} has no length`);
    if (typeof value === 'string') work.step(value.length >> 6);
    return sizeOf(value);
  },
};

const TESTS: Table = {
  defined: (_, value) => value !== undefined,
  undefined: (_, value) => value === undefined,
  none: (_, value) => value === null,
  boolean: (_, value) => typeof value === 'boolean',
  string: (_, value) => typeof value === 'string',
  number: (_, value) => numberOf(value) !== null,
  mapping: (_, value) => isDict(value),
};

/** Methods of texts. */
const METHODS: Table = {
  split: (work, own, between) => {
    const text = textBy(own, work);
    work.make(2 * text.length);
    if (between === undefined || between === null) return text.trim() === '' ? [] : text.trim().split(/\s+/);
    if (between === '') throw work.wrong('split has an empty separator');
    return text.split(textBy(between, work));
  },
  startswith: (work, own, part) => textBy(own, work).startsWith(textBy(part, work)),
  endswith: (work, own, part) => textBy(own, work).endsWith(textBy(part, work)),
};

const FUNCTIONS: Table = {
  range: (work, ...given) => {
    const [first = 0, second, by = 1] = given.map((one) => wholeBy(one, work));
    const [from, to] = second === undefined ? [0, first] : [first, second];
    if (by === 0) throw work.wrong('range has the step 0');
    const length = Math.max(0, Math.ceil((to - from) / by));
    work.make(length);
    return Array.from({ length }, (_, index) => from + index * by);
  },
};

export const TABLES = { filter: FILTERS, test: TESTS, method: METHODS, function: FUNCTIONS };

const ORDER: Readonly<Record<string, (order: number) => boolean>> = {
  ...{ '<': (order) => order < 0, '>': (order) => order > 0, '<=': (order) => order <= 0, '>=': (order) => order >= 0 },
};
const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  ...{ '+': (a, b) => a + b, '-': (a, b) => a - b, '*': (a, b) => a * b, '/': (a, b) => a / b },
  ...{ '//': (a, b) => Math.floor(a / b), '%': (a, b) => a - b * Math.floor(a / b) },
};
export const COMPARISONS: readonly string[] = ['==', '!=', 'in', 'not in', ...Object.keys(ORDER)];

/** An operator with two values, as Python calculates it. Throws TEMPLATE_VALUE. */
export function calculated(sign: string, left: Value, right: Value, work: Work): Value {
  if (sign === '==' || sign === '!=') return isEqual(left, right, work) === (sign === '==');
  if (sign === 'in' || sign === 'not in') return isIn(left, right, work) === (sign === 'in');
  if (sign === '~') return joined(textOf(left, work), textOf(right, work), work);
  if (sign === '**') throw work.unsupported('operator **', 'Calculate with + - * / // and %');
  const [a, b] = [numberOf(left), numberOf(right)];
  const areTexts = typeof left === 'string' && typeof right === 'string';
  const order = ORDER[sign];
  if (order && (areTexts || (a !== null && b !== null))) {
    const [one, other] = areTexts ? [left, right] : [a!, b!];
    work.step(areTexts ? Math.min(left.length, right.length) >> 6 : 0);
    return order(one < other ? -1 : one > other ? 1 : 0);
  }
  if (!order && a !== null && b !== null) {
    if (b === 0 && /^(\/\/?|%)$/.test(sign)) throw work.wrong('a division by 0');
    const result = ARITHMETIC[sign]!(a, b);
    return sign === '/' || isFloat(left) || isFloat(right) ? floatOf(result) : wholeBy(result, work);
  }
  if (sign === '+' && areTexts) return joined(left, right, work);
  if (sign === '+' && isList(left) && isList(right)) {
    work.make(left.length + right.length);
    return [...left, ...right];
  }
  throw work.wrong(`${described(left)} ${sign} ${described(right)} cannot be calculated; ~ joins texts`);
}

function joined(left: string, right: string, work: Work): string {
  work.make(left.length + right.length);
  return left + right;
}

function isIn(one: Value, all: Value, work: Work): boolean {
  if (typeof all === 'string' && typeof one === 'string') {
    work.step(1 + (all.length >> 6));
    return all.includes(one);
  }
  if (isList(all)) return all.some((other) => isEqual(one, other, work));
  if (isDict(all) && typeof one === 'string') return Object.hasOwn(all, one);
  throw work.wrong(`${described(one)} cannot be looked for in ${described(all)}`);
}

export function textBy(value: Value, work: Work): string {
  if (typeof value !== 'string') throw work.wrong(`a text is needed, not ${described(value)}`);
  return value;
}

/** Returns a whole number that JavaScript holds exactly. Throws TEMPLATE_VALUE. */
export function wholeBy(value: Value, work: Work): number {
  const number = numberOf(value);
  if (number === null || isFloat(value) || !Number.isSafeInteger(number))
    throw work.wrong(`a whole number is needed, not ${described(value)}`);
  return number;
}

/** Values that a loop runs over: items of a list, or keys of a map. */
export function listBy(value: Value, work: Work): readonly Value[] {
  if (isList(value)) return value;
  if (!isDict(value)) throw work.wrong(`a list or a map is needed, not ${described(value)}`);
  work.make(sizeOf(value));
  return Object.keys(value);
}
