import { cut } from '../../../../importers/file-problem.js';
import { textScalar } from '../../../../importers/pyyaml/scalar.js';
import { isDict, type Scalar, sizeOf, type Tree } from '../../../../importers/pyyaml/tree.js';
import { typeOf } from '../../../../importers/pyyaml/words.js';
import type { Problem, SourceLocation } from '../../../../model/failure.js';
import { isNull, leavesOf, withEntries } from './document.js';
import { problems } from './errors.js';
import { type Merge, seekIn, sourceOf } from './merge.js';
import { INNER, type Path, pathText } from './path.js';

/** References of which each is the value of the one before. */
const LONGEST_CHAIN = 100;
/** Values of a document with all references in place, each written out. */
const MOST_VALUES = 200_000;
const MOST_CHARACTERS = 1_000_000;
const MOST_NOTES = 20;
/** Seeking the path of a reference takes as long as so many copied entries. */
const REFERENCE = 20;
/** A file of secrets: it is read when a step runs, never while planning. */
const SECRET = '*$@';

const isReference = (tree: Tree): tree is Scalar =>
  tree.kind === 'scalar' &&
  tree.type === 'text' &&
  !tree.text.startsWith(SECRET) &&
  ((tree.text.startsWith('@') && tree.text.length > 1) || tree.text.includes('{@'));

/** Returns a note for each reference in a list, which stays a text, and for each `1.0`. Presets are left out. */
export const notesOf = (merge: Merge): readonly Problem[] =>
  leavesOf(merge.tree)
    .flatMap(({ value, at, path }) => {
      if (path[0] === merge.layout.presets || value.kind !== 'scalar') return [];
      if (value.type === 'float' && Number.isInteger(value.value))
        return [problems.fraction(merge.placeOf(at), pathText(path), value.text)];
      const isInList = path.some((key) => typeof key === 'number');
      return isInList && isReference(value) ? [problems.referenceInList(merge.placeOf(at), value.text)] : [];
    })
    .slice(0, MOST_NOTES);

/** Complains of whole numbers that JavaScript does not hold. */
export function checkNumbers(merge: Merge, tree: Tree): void {
  if (!merge.work(4 * sizeOf(tree), { file: merge.layout.file })) return;
  for (const { value, path } of leavesOf(tree))
    if (value.kind === 'scalar' && value.type === 'integer' && !Number.isSafeInteger(value.value))
      merge.complain(problems.number(sourceOf(merge, path), pathText(path), cut(value.text)));
}

interface Resolving {
  readonly merge: Merge;
  readonly done: Map<Tree, Tree>;
  /** References that are being resolved. */
  readonly open: { readonly leaf: Tree; readonly path: Path }[];
  /** Characters that texts with references may still make. */
  left: number;
  /** Values that references may still copy. */
  values: number;
}

/** Puts values in place of `@a.b` and `{@a.b}`, presets and lists excepted. */
export function resolveReferences(merge: Merge): Tree {
  if (!merge.work(4 * sizeOf(merge.tree), { file: merge.layout.file })) return merge.tree;
  const state: Resolving = { merge, done: new Map(), open: [], left: MOST_CHARACTERS, values: MOST_VALUES };
  const tree = resolved(state, merge.tree, []);
  if (sizeOf(tree) <= MOST_VALUES) return tree;
  merge.complain(problems.tooLarge({ file: merge.layout.file }, `${MOST_VALUES} values`));
  return merge.tree;
}

function resolved(state: Resolving, tree: Tree, path: Path): Tree {
  if (isReference(tree)) return resolvedOnce(state, tree, path);
  if (!isDict(tree) || (path.length === 1 && path[0] === state.merge.layout.presets)) return tree;
  return withEntries(tree, (key, { value, at }) => ({ value: resolved(state, value, [...path, key]), at }));
}

function resolvedOnce(state: Resolving, leaf: Scalar, path: Path): Tree {
  const { merge, done, open } = state;
  const known = done.get(leaf);
  if (known !== undefined) return known;
  const before = open.findIndex((one) => one.leaf === leaf);
  if (before >= 0) {
    const loop = [...open.slice(before), open[before]!];
    const links = loop.map((one) => ({ name: pathText(one.path), place: sourceOf(merge, one.path) }));
    merge.complain(problems.referenceLoop(sourceOf(merge, path), links));
    return leaf;
  }
  open.push({ leaf, path });
  const value = leaf.text.startsWith('@') ? target(state, leaf.text.slice(1), leaf, path) : inText(state, leaf, path);
  open.pop();
  done.set(leaf, value);
  return value;
}

function target(state: Resolving, text: string, leaf: Scalar, path: Path): Tree {
  const { merge } = state;
  const place = sourceOf(merge, path);
  if (state.open.length > LONGEST_CHAIN) {
    merge.complain(problems.tooLarge(place, `${LONGEST_CHAIN} references in a chain`));
    return leaf;
  }
  if (!merge.work(REFERENCE, place)) return leaf;
  const found = seekIn(merge, text, place);
  if (!('code' in found)) return copied(state, leaf, place, found);
  const near = /^Near: .*?\. /.exec(found.next)?.[0];
  merge.complain(problems.reference(place, leaf.text, found.message, near));
  return leaf;
}

/** The target of a reference, if there may be so many values more. */
function copied(state: Resolving, leaf: Tree, place: SourceLocation, found: { value: Tree; path: Path }): Tree {
  const before = state.values;
  state.values -= sizeOf(found.value);
  if (state.values >= 0) return resolved(state, found.value, found.path);
  if (before >= 0) state.merge.complain(problems.tooLarge(place, `${MOST_VALUES} values behind references`));
  return leaf;
}

/** The text with values in place of references. In our files it is null if one of them is: nothing is called "None". */
function inText(state: Resolving, leaf: Scalar, path: Path): Tree {
  const { merge } = state;
  let none: Tree | null = null;
  const text = leaf.text.replace(INNER, (whole, to: string) => {
    const value = target(state, to, leaf, path);
    if (merge.layout.isOurs && isNull(value)) none = value;
    if (value.kind === 'scalar') return value === leaf ? whole : value.text;
    merge.complain(problems.reference(sourceOf(merge, path), leaf.text, `${to} is ${typeOf(value)}`));
    return whole;
  });
  if (none !== null) return none;
  const before = state.left;
  state.left -= text.length;
  if (state.left >= 0) return { kind: 'scalar', at: leaf.at, ...textScalar(text) };
  const what = `${MOST_CHARACTERS} characters in texts with references`;
  if (before >= 0) merge.complain(problems.tooLarge(sourceOf(merge, path), what));
  return leaf;
}
