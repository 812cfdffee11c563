import { textScalar } from '../../../../importers/pyyaml/scalar.js';
import { isDict, type Scalar, sizeOf, type Tree } from '../../../../importers/pyyaml/tree.js';
import { typeOf } from '../../../../importers/pyyaml/words.js';
import type { Problem, SourceLocation } from '../../../../model/failure.js';
import { problems } from './errors.js';
import { type Merge, sourceOf } from './merge.js';
import { seek } from './near.js';
import { type Path, pathText } from './path.js';

/** Values of a document with all references in place, each written out. */
const MOST_VALUES = 200_000;
const MOST_CHARACTERS = 1_000_000;
const INNER = /\{@([^{}]*)\}/g;
/** A file of secrets: it is read when a step runs, never while planning. */
const SECRET = '*$@';

interface Resolving {
  readonly merge: Merge;
  readonly done: Map<Tree, Tree>;
  /** References that are being resolved. */
  readonly open: { readonly leaf: Tree; readonly path: Path }[];
  readonly inLists: Problem[];
  /** Characters that texts with references may still make. */
  left: number;
}

/** Puts values in place of `@a.b` and `{@a.b}`, presets excepted. `inLists`: references in lists, which stay texts. */
export function resolveReferences(merge: Merge): { readonly tree: Tree; readonly inLists: readonly Problem[] } {
  const state: Resolving = { merge, done: new Map(), open: [], inLists: [], left: MOST_CHARACTERS };
  const tree = resolved(state, merge.tree, []);
  const isSmall = sizeOf(tree) <= MOST_VALUES;
  if (!isSmall) merge.complain(problems.tooLarge({ file: merge.doc.file }, `${MOST_VALUES} values`));
  return { tree: isSmall ? tree : merge.tree, inLists: state.inLists };
}

const placeOf = ({ merge }: Resolving, path: Path): SourceLocation => sourceOf(merge.layers, path).place;

function resolved(state: Resolving, tree: Tree, path: Path, isInList = false): Tree {
  if (path.length === 1 && path[0] === state.merge.layout.presets.at) return tree;
  if (tree.kind === 'list') tree.items.forEach((item, index) => resolved(state, item, [...path, index], true));
  if (isDict(tree)) {
    const inner = ([key, one]: readonly [string, { readonly value: Tree; readonly at: number }]) =>
      [key, { ...one, value: resolved(state, one.value, [...path, key], isInList) }] as const;
    return { ...tree, keys: new Map([...tree.keys].map(inner)) };
  }
  if (!isReference(tree)) return tree;
  if (!isInList) return resolvedOnce(state, tree, path);
  if (state.inLists.length < 20) state.inLists.push(problems.referenceInList(placeOf(state, path), tree.text));
  return tree;
}

const isReference = (leaf: Tree): leaf is Scalar =>
  leaf.kind === 'scalar' &&
  leaf.type === 'text' &&
  !leaf.text.startsWith(SECRET) &&
  ((leaf.text.startsWith('@') && leaf.text.length > 1) || leaf.text.includes('{@'));

function resolvedOnce(state: Resolving, leaf: Scalar, path: Path): Tree {
  const known = state.done.get(leaf);
  if (known !== undefined) return known;
  const before = state.open.findIndex((one) => one.leaf === leaf);
  if (before >= 0) {
    const loop = [...state.open.slice(before), state.open[before]!];
    const links = loop.map((one) => ({ name: pathText(one.path), place: placeOf(state, one.path) }));
    state.merge.complain(problems.referenceLoop(placeOf(state, path), links));
    return leaf;
  }
  state.open.push({ leaf, path });
  const value = leaf.text.startsWith('@') ? target(state, leaf.text.slice(1), leaf, path) : inText(state, leaf, path);
  state.open.pop();
  state.done.set(leaf, value);
  return value;
}

function target(state: Resolving, text: string, leaf: Scalar, path: Path): Tree {
  const found = seek(state.merge.tree, text);
  if (typeof found !== 'function') return resolved(state, found.value, found.path);
  const { message, next } = found();
  const near = /^Near: .*?\. /.exec(next)?.[0];
  state.merge.complain(problems.reference(placeOf(state, path), leaf.text, message, near));
  return leaf;
}

function inText(state: Resolving, leaf: Scalar, path: Path): Tree {
  const text = leaf.text.replace(INNER, (whole, to: string) => {
    const value = target(state, to, leaf, path);
    if (value.kind === 'scalar') return value === leaf ? whole : value.text;
    state.merge.complain(problems.reference(placeOf(state, path), leaf.text, `${to} is ${typeOf(value)}`));
    return whole;
  });
  const before = state.left;
  state.left -= text.length;
  if (state.left >= 0) return { kind: 'scalar', at: leaf.at, ...textScalar(text) };
  const what = `${MOST_CHARACTERS} characters in texts with references`;
  if (before >= 0) state.merge.complain(problems.tooLarge(placeOf(state, path), what));
  return leaf;
}
