import { quoted } from '../../../importers/file-problem.js';

export type Value = string | boolean | null | readonly Value[];
/** A part of a condition, once it is read. */
export type Part = () => Value;

export class NotTold extends Error {
  constructor(
    message: string,
    readonly unknown: string | null = null,
  ) {
    super(message);
  }
}
export const refuse = (why: string): never => {
  throw new NotTold(why);
};

const WORD = /\s+|r?'(?:[^'\\\n]|\\.)*'|r?"(?:[^"\\\n]|\\.)*"|[A-Za-z_]\w*|[=!]=|[()[\],.]/y;

export function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  WORD.lastIndex = 0;
  while (WORD.lastIndex < text.length) {
    const at = WORD.lastIndex;
    const [word] = WORD.exec(text) ?? refuse(`nothing is known that begins with ${quoted(text.slice(at, at + 20))}`);
    if (word.trim() !== '') words.push(word);
  }
  return words;
}

export const isTrue = (value: Value): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value));
export const isEqual = (a: Value, b: Value): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A text between quotes. Python keeps a backslash before most letters. */
export function textIn(word: string): string {
  const inner = word.replace(/^r/, '').slice(1, -1);
  return word.startsWith('r') ? inner : inner.replaceAll(/\\(['"\\])/g, '$1');
}

export function textOf(value: Value, what: string): string {
  return typeof value === 'string' ? value : refuse(`${what} needs a text, and has ${quoted(value)}`);
}

export function has(list: Value, value: Value): boolean {
  if (Array.isArray(list)) return list.some((one) => isEqual(one, value));
  return textOf(list, '"in"').includes(textOf(value, '"in"'));
}

/** Python's `or` and `and`: the first value that decides, or else the last one. */
export function firstOf(parts: readonly Part[], decides: (value: Value) => boolean): Value {
  for (const part of parts.slice(0, -1)) {
    const value = part();
    if (decides(value)) return value;
  }
  return parts.at(-1)!();
}
