import { isDict, type Scalar, sizeOf, type Tree } from '../../../../importers/pyyaml/tree.js';
import { textScalar } from '../../../../importers/pyyaml/scalar.js';
import type { Problem, SourceLocation } from '../../../../model/failure.js';
import { find, isFound, type Missing } from './document.js';
import { problems } from './errors.js';
import { type Merge, sourceOf } from './merge.js';
import { isPath, type Path, pathText, readPath, startsWith } from './path.js';
import { whyMissing } from './near.js';

/** Values of a document with all references in place, each written out. */
const MOST_VALUES = 200_000;
const MOST_CHARACTERS = 1_000_000;
const INNER = /\{@([^{}]*)\}/g;
/** A file of secrets: it is read when a step runs, never while planning. */
const SECRET = '*$@';

export interface Resolved {
  readonly tree: Tree;
  /** References in lists, which stay texts. */
  readonly inLists: readonly Problem[];
}

/** Puts values in place of `@a.b` and `{@a.b}`. @param except a subtree that stays as it is: the presets */
export function resolveReferences(merge: Merge, except: Path): Resolved {
  const done = new Map<Tree, Tree>();
  const open: { readonly leaf: Tree; readonly path: Path }[] = [];
  const inLists: Resolved['inLists'][number][] = [];
  let characters = 0;

  const placeOf = (path: Path): SourceLocation => sourceOf(merge.layers, path).place;

  const resolved = (tree: Tree, path: Path): Tree => {
    if (startsWith(path, except)) return tree;
    if (tree.kind === 'list') return listed(tree, path);
    if (isDict(tree)) {
      const keys = new Map(
        [...tree.keys].map(([key, one]) => [key, { ...one, value: resolved(one.value, [...path, key]) }]),
      );
      return { ...tree, keys };
    }
    return isReference(tree) ? leafOnce(tree, path) : tree;
  };

  const listed = (tree: Tree, path: Path): Tree => {
    const look = (one: Tree, at: Path): void => {
      if (one.kind === 'list') one.items.forEach((item, index) => look(item, [...at, index]));
      else if (isDict(one)) for (const [key, { value }] of one.keys) look(value, [...at, key]);
      else if (isReference(one) && inLists.length < 20) inLists.push(problems.referenceInList(placeOf(at), one.text));
    };
    look(tree, path);
    return tree;
  };

  const leafOnce = (leaf: Scalar, path: Path): Tree => {
    const known = done.get(leaf);
    if (known !== undefined) return known;
    const before = open.findIndex((one) => one.leaf === leaf);
    if (before >= 0) {
      const loop = [...open.slice(before), open[before]!].map((one) => ({
        name: pathText(one.path),
        place: placeOf(one.path),
      }));
      merge.complain(problems.referenceLoop(placeOf(path), loop));
      return leaf;
    }
    open.push({ leaf, path });
    const value = leaf.text.startsWith('@') ? target(leaf.text.slice(1), leaf, path) : inText(leaf, path);
    open.pop();
    done.set(leaf, value);
    return value;
  };

  const target = (text: string, leaf: Scalar, path: Path): Tree => {
    const to = readPath(text);
    const found = isPath(to) ? find(merge.tree, to) : null;
    if (isPath(to) && found !== null && isFound(found)) return resolved(found.value, found.path);
    const why = isPath(to) ? whyMissing(merge.tree, to, found as Missing).join('. ') : to.why;
    merge.complain(problems.reference(placeOf(path), leaf.text, why));
    return leaf;
  };

  const inText = (leaf: Scalar, path: Path): Tree => {
    const text = leaf.text.replace(INNER, (whole, to: string) => {
      const value = target(to, leaf, path);
      if (value.kind === 'scalar') return value === leaf ? whole : value.text;
      merge.complain(
        problems.reference(placeOf(path), leaf.text, `${to} is a ${value.kind === 'list' ? 'list' : 'map'}`),
      );
      return whole;
    });
    characters += text.length;
    if (characters <= MOST_CHARACTERS) return { kind: 'scalar', at: leaf.at, ...textScalar(text) };
    if (characters - text.length <= MOST_CHARACTERS)
      merge.complain(problems.tooLarge(placeOf(path), `${MOST_CHARACTERS} characters in texts with references`));
    return leaf;
  };

  const tree = resolved(merge.tree, []);
  if (sizeOf(tree) <= MOST_VALUES) return { tree, inLists };
  merge.complain(problems.tooLarge(placeOf([]), `${MOST_VALUES} values`));
  return { tree: merge.tree, inLists };
}

const isReference = (leaf: Tree): leaf is Scalar =>
  leaf.kind === 'scalar' &&
  leaf.type === 'text' &&
  !leaf.text.startsWith(SECRET) &&
  ((leaf.text.startsWith('@') && leaf.text.length > 1) || leaf.text.includes('{@'));
