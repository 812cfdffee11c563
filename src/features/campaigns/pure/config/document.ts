import { type Entry, isDict, type Tree } from '../../../../importers/pyyaml/tree.js';
import type { Path } from './path.js';

/** A value of a document. */
export interface Found {
  readonly value: Tree;
  /** Position of its key, or of the item of a list. */
  readonly at: number;
  /** Indexes count from the start of each list. */
  readonly path: Path;
}

export interface Followed extends Found {
  /** Number of keys that are not there. 0: the value is that of the whole path. */
  readonly left: number;
  /** Number of entries of the maps and lists that were walked through. */
  readonly size: number;
}

export const isNull = (tree: Tree): boolean => tree.kind === 'scalar' && tree.type === 'null';

/** Follows a path as far as it leads. */
export function follow(tree: Tree, path: Path): Followed {
  let found: Followed = { value: tree, at: tree.at, path: [], left: path.length, size: 1 };
  for (const key of path) {
    const { value: around } = found;
    const next = childOf(around, key);
    if (next === null) break;
    const size = around.kind === 'list' ? around.items.length : isDict(around) ? around.keys.size : 0;
    found = {
      ...{ value: next.value, at: next.at, path: [...found.path, next.key] },
      ...{ left: found.left - 1, size: found.size + size },
    };
  }
  return found;
}

function childOf(tree: Tree, key: string | number): (Entry & { readonly key: string | number }) | null {
  if (typeof key === 'string') {
    const entry = isDict(tree) ? tree.keys.get(key) : undefined;
    return entry ? { ...entry, key } : null;
  }
  if (tree.kind !== 'list') return null;
  const index = key < 0 ? tree.items.length + key : key;
  const value = tree.items[index];
  return value ? { value, at: value.at, key: index } : null;
}

/** Returns a copy with another value at a path that is there. Nothing of the original changes.
 * The new value has the position of what assigns it. */
export function withValue(tree: Tree, [key, ...rest]: Path, entry: Entry): Tree {
  if (tree.kind === 'list' && typeof key === 'number') {
    const value = withValue(tree.items[key]!, rest, entry);
    return { ...tree, items: tree.items.with(key, value) };
  }
  if (!isDict(tree) || typeof key !== 'string') return { ...entry.value, at: entry.at };
  const { value, at } = tree.keys.get(key)!;
  const inner = { value: withValue(value, rest, entry), at: rest.length === 0 ? entry.at : at };
  return { ...tree, keys: new Map(tree.keys).set(key, inner) };
}

/** Returns a copy in which all values have one position. */
export function placedAt(tree: Tree, at: number): Tree {
  if (tree.kind === 'list') return { ...tree, at, items: tree.items.map((item) => placedAt(item, at)) };
  if (!isDict(tree)) return { ...tree, at };
  const keys = [...tree.keys].map(([key, { value }]) => [key, { value: placedAt(value, at), at }] as const);
  return { ...tree, at, keys: new Map(keys) };
}

/** Returns each leaf, in order: a scalar, an empty map or an empty list. */
export function leavesOf(tree: Tree, at = tree.at, path: Path = []): readonly Found[] {
  const inner =
    tree.kind === 'list'
      ? tree.items.map((item, index) => [index, { value: item, at: item.at }] as const)
      : isDict(tree)
        ? [...tree.keys]
        : [];
  if (inner.length === 0) return [{ value: tree, at, path }];
  return inner.flatMap(([key, { value, at: keyAt }]) => leavesOf(value, keyAt, [...path, key]));
}
