import { pythonFloat } from '../../../../../importers/pyyaml/scalar.js';
import { quoted } from '../../../../../importers/file-problem.js';
import type { Tree } from '../../../../../importers/pyyaml/tree.js';
import type { Json } from '../../../../../model/json.js';
import { unbounded, type Work } from './work.js';

/** A float without a fraction, which Python prints as `2.0`. JSON has no such value. */
export class Float {
  constructor(readonly number: number) {}
}

/** A value of a template. Undefined: nothing has the name. */
export type Value = undefined | null | boolean | number | string | Float | readonly Value[] | Dict;
export interface Dict {
  readonly [key: string]: Value;
}

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
export const isDict = (value: Value): value is Dict =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Float);
export const ownOf = (dict: Dict, key: string): Value => (Object.hasOwn(dict, key) ? dict[key] : undefined);
export const floatOf = (number: number): Value => (Number.isInteger(number) ? new Float(number) : number);
export const isFloat = (value: Value): boolean =>
  value instanceof Float || (typeof value === 'number' && !Number.isInteger(value));
/** Returns the number of a value; Python counts with booleans. Null: it is no number. */
export function numberOf(value: Value): number | null {
  if (value instanceof Float) return value.number;
  return typeof value === 'number' || typeof value === 'boolean' ? Number(value) : null;
}

const sizes = new WeakMap<object, number>();
export function sizeOf(value: string | readonly Value[] | Dict): number {
  if (typeof value === 'string') return /[\ud800-\udfff]/.test(value) ? [...value].length : value.length;
  const size = sizes.get(value) ?? Object.keys(value).length;
  sizes.set(value, size);
  return size;
}

export function isTrue(value: Value): boolean {
  if (value instanceof Float) return value.number !== 0;
  return isList(value) || isDict(value) ? sizeOf(value) > 0 : Boolean(value);
}

/** `==` of Python. */
export function isEqual(a: Value, b: Value, work: Work): boolean {
  work.step();
  const [left, right] = [numberOf(a), numberOf(b)];
  if (left !== null || right !== null) return left === right;
  if (typeof a === 'string' && typeof b === 'string') {
    work.step(Math.min(a.length, b.length) >> 6);
    return a === b;
  }
  if (isList(a) && isList(b)) return a.length === b.length && a.every((one, index) => isEqual(one, b[index], work));
  if (!isDict(a) || !isDict(b)) return a === b;
  work.step(sizeOf(a));
  return (
    sizeOf(a) === sizeOf(b) && Object.keys(a).every((key) => Object.hasOwn(b, key) && isEqual(a[key], b[key], work))
  );
}

/** `str` of Python. */
export const textOf = (value: Value, work: Work): string =>
  typeof value === 'string' ? value : written(value, work, PYTHON);

interface Writing {
  readonly words: Readonly<Record<'null' | 'true' | 'false', string>>;
  quote(text: string): string;
  readonly isSorted: boolean;
}

/** `repr` of Python. */
const PYTHON: Writing = {
  words: { null: 'None', true: 'True', false: 'False' },
  quote(text) {
    const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
    const inner = text.replace(/[\\\p{C}\p{Z}'"]/gu, (char) =>
      char === '\\' || char === mark ? `\\${char}` : /[ '"]/.test(char) ? char : escaped(char),
    );
    return mark + inner + mark;
  },
  isSorted: false,
};

function escaped(char: string): string {
  const short = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[char];
  const code = char.codePointAt(0)!;
  const [letter, digits] = code < 0x100 ? ['x', 2] : code < 0x10000 ? ['u', 4] : ['U', 8];
  return short ?? `\\${letter}${code.toString(16).padStart(digits as number, '0')}`;
}

/** `json.dumps` of Python, as Jinja2 calls it for HTML. */
const HTML_SAFE_JSON: Writing = {
  words: { null: 'null', true: 'true', false: 'false' },
  quote: (text) =>
    JSON.stringify(text).replace(
      /[<>&'\x7f-\uffff]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  isSorted: true,
};
export const htmlSafeJson = (value: Value, work: Work): string => written(value, work, HTML_SAFE_JSON);

function written(value: Value, work: Work, how: Writing): string {
  work.step();
  if (typeof value === 'string') return how.quote(work.made(value));
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value).toString();
  const number = typeof value === 'boolean' ? null : numberOf(value);
  if (number !== null) return pythonFloat(number);
  if (isList(value)) return work.made(`[${value.map((one) => written(one, work, how)).join(', ')}]`);
  if (!isDict(value)) return how.words[String(value ?? null) as 'null'];
  work.step(sizeOf(value));
  const keys = how.isSorted ? Object.keys(value).sort() : Object.keys(value);
  return work.made(
    `{${keys.map((key) => `${how.quote(work.made(key))}: ${written(value[key], work, how)}`).join(', ')}}`,
  );
}

/** `a text`, `the number 3`: a value in a message. */
export const described = (value: Value): string =>
  isList(value)
    ? 'a list'
    : isDict(value)
      ? 'a map'
      : quoted(typeof value === 'string' ? value.slice(0, 100) : jsonOf(value));

/** A value of a YAML file as Python has it. */
export function valueOf(tree: Tree): Value {
  if (tree.kind === 'list') return tree.items.map(valueOf);
  if (tree.kind === 'dict') return Object.fromEntries([...tree.keys].map(([key, { value }]) => [key, valueOf(value)]));
  return tree.type === 'float' ? floatOf(tree.value as number) : tree.value;
}

export function jsonOf(value: Value): Json {
  if (value instanceof Float) return value.number;
  if (isList(value)) return value.map(jsonOf);
  if (!isDict(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, jsonOf(one)]));
}

/** What Python's Fire may read as something else than this text: it parses an argument as an expression of Python, which drops
 * blanks and comments around a name. Source: `_LiteralEval` of fire/parser.py, 0.7.1. */
const IS_LITERAL =
  /^(True|False|None|\.{3}|[-+\s\\]*[.\d][\d_.eExXoObBjJa-fA-F+-]*|\w*\P{ASCII}[\w\P{ASCII}]*)$|^(["'[({\s\\]|[bBrRuU]{1,2}["']|[\w\s\\.+\P{ASCII}-]*#)|,|\s$/u;

/** A value as one argument of a toolbox: Python reads the same value out of it. */
export const shownArgument = (value: Value): string =>
  typeof value !== 'string' ? textOf(value, unbounded()) : IS_LITERAL.test(value) ? PYTHON.quote(value) : value;
