import { type Entry, isDict, type Tree } from '../../../../importers/pyyaml/tree.js';
import type { Path } from './path.js';

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

type Key = Path[number];

const NONE: ReadonlyMap<Key, Entry> = new Map();
const itemsOf = new WeakMap<Tree, ReadonlyMap<Key, Entry>>();

/** Entries of a map, or items of a list by their index. A scalar has none. */
function entriesOf(tree: Tree): ReadonlyMap<Key, Entry> {
  if (tree.kind !== 'list') return isDict(tree) ? tree.keys : NONE;
  const known = itemsOf.get(tree);
  if (known !== undefined) return known;
  const items = new Map(tree.items.map((value, index) => [index, { value, at: value.at }]));
  itemsOf.set(tree, items);
  return items;
}

/** Returns a copy with other entries. */
export function withEntries(tree: Tree, change: (key: Key, entry: Entry) => Entry): Tree {
  const entries = [...entriesOf(tree)].map(([key, entry]) => [key, change(key, entry)] as const);
  if (tree.kind === 'list') return { ...tree, items: entries.map(([, { value }]) => value) };
  return isDict(tree) ? { ...tree, keys: new Map(entries as [string, Entry][]) } : tree;
}

/** Follows a path as far as it leads. */
export function follow(tree: Tree, path: Path): Followed {
  let found: Followed = { value: tree, at: tree.at, path: [], left: path.length, size: 1 };
  for (const asked of path) {
    const entries = entriesOf(found.value);
    const key = typeof asked === 'number' && asked < 0 ? entries.size + asked : asked;
    const entry = entries.get(key);
    if (entry === undefined) break;
    found = { ...entry, path: [...found.path, key], left: found.left - 1, size: found.size + entries.size };
  }
  return found;
}

/** Returns a copy with another value at a path that is there. The value has the position of what assigns it. */
export function withValue(tree: Tree, [first, ...rest]: Path, { value, at }: Entry): Tree {
  return withEntries(tree, (key, entry) => {
    if (key !== first) return entry;
    if (rest.length === 0) return { value: { ...value, at }, at };
    return { ...entry, value: withValue(entry.value, rest, { value, at }) };
  });
}

/** Returns a copy in which all values have one position. */
export const placedAt = (tree: Tree, at: number): Tree => ({
  ...withEntries(tree, (_, { value }) => ({ value: placedAt(value, at), at })),
  at,
});

/** Returns each leaf, in order: a scalar, an empty map or an empty list. */
export function leavesOf(tree: Tree, at = tree.at, path: Path = []): readonly Found[] {
  const inner = [...entriesOf(tree)];
  if (inner.length === 0) return [{ value: tree, at, path }];
  return inner.flatMap(([key, entry]) => leavesOf(entry.value, entry.at, [...path, key]));
}
