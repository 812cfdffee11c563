import { isDict, isFloat, isList, numberOf, said, sizeOf, type Value } from './python.js';
import type { Work } from './work.js';

export function textBy(value: Value, work: Work): string {
  if (typeof value !== 'string') throw work.wrong(`a text is needed, not ${said(value)}`);
  return value;
}

export function numberBy(value: Value, work: Work): number {
  const number = numberOf(value);
  if (number === null) throw work.wrong(`a number is needed, not ${said(value)}`);
  return number;
}

/** Returns a whole number. Throws TEMPLATE_VALUE for a number above the limit. */
export function within(value: Value, most: number, work: Work): number {
  const number = numberBy(value, work);
  if (isFloat(value) || Math.abs(number) > most)
    throw work.wrong(`a whole number of at most ${most} is needed, not ${said(value)}`);
  return number;
}

/** What a loop runs over: items, keys or characters. */
export function listBy(value: Value, work: Work): readonly Value[] {
  if (isList(value)) return value;
  if (typeof value !== 'string' && !isDict(value)) throw work.wrong(`a list or a map is needed, not ${said(value)}`);
  work.make(typeof value === 'string' ? value.length : sizeOf(value));
  return typeof value === 'string' ? [...value] : Object.keys(value);
}
