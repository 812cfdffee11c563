import { quoted } from '../file-problem.js';
import type { Read } from './scalar.js';
import { jsonOf, type Tree } from './tree.js';

/** A value as a person typed it, and how Python reads it. */
const shown = (tree: Tree): string =>
  tree.kind === 'scalar' && tree.type !== 'text' && tree.type !== 'null' ? tree.text : quoted(jsonOf(tree));

/** What people call a type of YAML. */
export const TYPES: Readonly<Record<Read['type'], string>> = {
  null: 'nothing',
  boolean: 'true or false',
  integer: 'a whole number',
  float: 'a number with a fraction',
  date: 'a date',
  text: 'a text',
};

export const typeOf = (tree: Tree): string =>
  tree.kind === 'scalar' ? TYPES[tree.type] : tree.kind === 'list' ? 'a list' : 'a map';

/** `yes, true or false`: a value as a person typed it, and how Python reads it. */
export const said = (tree: Tree): string =>
  tree.kind === 'scalar' && tree.type === 'null' ? 'empty' : `${shown(tree)}, ${typeOf(tree)}`;
