import type { Problem, SourceLocation } from '../../model/failure.js';
import { problems } from './errors.js';
import type { Keys, Shape } from './shape.js';
import { type Dict, isDict, type Tree } from '../pyyaml/tree.js';

export interface Checking {
  /** Name of the test, for messages. */
  readonly name: string;
  place(path: readonly string[]): SourceLocation;
  complain(problem: Problem): void;
  /** Called with a key that upstream ignores. Absent: such a key is complained of. */
  ignore?(path: readonly string[]): unknown;
}

/** Complains of every key and every value that a shape does not have. */
export function check(dict: Dict, shape: Keys, checking: Checking, above: readonly string[] = []): void {
  for (const [key, { value }] of dict.keys) {
    const path = [...above, key];
    const wanted = Object.hasOwn(shape.keys, key) ? shape.keys[key]! : null;
    if (wanted !== null) checkValue(value, wanted, path, checking);
    else if (checking.ignore) checking.ignore(path);
    else checking.complain(problems.unknownKey(checking.place(path), path.join('.'), key, Object.keys(shape.keys)));
  }
  for (const key of shape.needed)
    if (!dict.keys.has(key))
      checking.complain(problems.keyMissing(checking.place(above), checking.name, [...above, key].join('.')));
}

function checkValue(value: Tree, wanted: Shape, path: readonly string[], checking: Checking): void {
  if (wanted === 'map' && isDict(value)) return;
  if (typeof wanted === 'object' && 'keys' in wanted && isDict(value)) return check(value, wanted, checking, path);
  if (isRight(value, wanted)) return;
  const place = checking.place(path);
  if (typeof wanted === 'object' && 'of' in wanted && value.kind === 'scalar' && value.type === 'text')
    checking.complain(problems.wrongChoice(place, path.join('.'), value.text, wanted.of));
  else checking.complain(problems.wrongValue(place, path.join('.'), wordsOf(wanted), value));
}

function isRight(value: Tree, wanted: Shape): boolean {
  if (wanted === 'list of texts') return value.kind === 'list' && value.items.every(isText);
  if (wanted === 'text') return isText(value);
  if (value.kind !== 'scalar' || wanted === 'map') return false;
  if (wanted === 'boolean') return value.type === 'boolean';
  if ('of' in wanted) return value.type === 'text' && wanted.of.includes(value.text);
  return (
    'atLeast' in wanted &&
    value.type === 'integer' &&
    Number(value.value) >= wanted.atLeast &&
    Number(value.value) <= wanted.atMost
  );
}

const isText = (value: Tree): boolean => value.kind === 'scalar' && value.type === 'text';

function wordsOf(wanted: Shape): string {
  if (wanted === 'text') return 'a text';
  if (wanted === 'boolean') return 'true or false';
  if (wanted === 'list of texts') return 'a list of texts';
  if (wanted === 'map') return 'a map of keys';
  if ('keys' in wanted) return `a map of ${Object.keys(wanted.keys).join(', ')}`;
  return 'of' in wanted
    ? `a text: ${wanted.of.join(', ')}`
    : `a whole number from ${wanted.atLeast} to ${wanted.atMost}`;
}
