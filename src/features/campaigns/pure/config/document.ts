import { type Dict, isDict, type List, type Tree } from '../../../../importers/pyyaml/tree.js';
import type { Path } from './path.js';

export interface Found {
  readonly value: Tree;
  /** Position of the key, or of the item. */
  readonly at: number;
  /** The path with indexes from the start of each list. */
  readonly path: Path;
}
export interface Missing {
  /** Number of keys of the path that are there. */
  readonly known: number;
  /** The value that lacks the next key. */
  readonly in: Tree;
}

/** Returns the value at a path, or how far the path leads. */
export function find(tree: Tree, path: Path): Found | Missing {
  let found: Found = { value: tree, at: tree.at, path: [] };
  for (const [known, key] of path.entries()) {
    const next = childOf(found.value, key);
    if (next === null) return { known, in: found.value };
    found = { value: next.value, at: next.at, path: [...found.path, next.key] };
  }
  return found;
}

export const isFound = (found: Found | Missing): found is Found => 'value' in found;

function childOf(tree: Tree, key: string | number) {
  if (typeof key === 'string') {
    const entry = isDict(tree) ? tree.keys.get(key) : undefined;
    return entry === undefined ? null : { value: entry.value, at: entry.at >= 0 ? entry.at : entry.value.at, key };
  }
  if (tree.kind !== 'list') return null;
  const index = key < 0 ? tree.items.length + key : key;
  const value = tree.items[index];
  return value === undefined ? null : { value, at: value.at, key: index };
}

/** Returns a copy with another value at a path that `find` returned. Nothing of the original changes. */
export function withValue(tree: Tree, [key, ...rest]: Path, value: Tree): Tree {
  if (key === undefined) return value;
  if (typeof key === 'number') {
    const { items } = tree as List;
    return { ...(tree as List), items: items.with(key, withValue(items[key]!, rest, value)) };
  }
  const entry = (tree as Dict).keys.get(key)!;
  const keys = new Map((tree as Dict).keys).set(key, { ...entry, value: withValue(entry.value, rest, value) });
  return { ...(tree as Dict), keys };
}

/** Calls back for each leaf, in order: a scalar, an empty map or an empty list. */
export function eachLeaf(
  tree: Tree,
  path: Path,
  visit: (path: Path, leaf: Tree, at: number) => void,
  at = tree.at,
): void {
  const inner: readonly (readonly [string | number, Tree, number])[] =
    tree.kind === 'list'
      ? tree.items.map((item, index) => [index, item, item.at])
      : isDict(tree)
        ? [...tree.keys].map(([key, entry]) => [key, entry.value, entry.at])
        : [];
  if (inner.length === 0) visit(path, tree, at);
  else for (const [key, value, keyAt] of inner) eachLeaf(value, [...path, key], visit, keyAt);
}
