import type { Json } from '../../model/json.js';
import { plainScalar, type Read, textScalar } from './scalar.js';

/** A value of a YAML file and its place. An alias is the same value again. */
export type Tree = Scalar | List | Dict;

interface Placed {
  /** Position in the text of its file. -1: it comes from the release file. */
  readonly at: number;
}
export interface Scalar extends Placed, Read {
  readonly kind: 'scalar';
}
export interface List extends Placed {
  readonly kind: 'list';
  readonly items: readonly Tree[];
}
export interface Dict extends Placed {
  readonly kind: 'dict';
  readonly keys: ReadonlyMap<string, Entry>;
}
export interface Entry {
  readonly value: Tree;
  /** Position of the key. */
  readonly at: number;
}

export const EMPTY: Dict = { kind: 'dict', keys: new Map(), at: -1 };

export const isDict = (tree: Tree | undefined): tree is Dict => tree?.kind === 'dict';

/** Returns the value at a path of keys. Undefined if there is none. */
export function valueAt(tree: Tree, path: readonly string[]): Tree | undefined {
  let found: Tree | undefined = tree;
  for (const key of path) found = isDict(found) ? found.keys.get(key)?.value : undefined;
  return found;
}

/** Returns the text at a path. Undefined if there is none, or another value. */
export function textAt(tree: Tree, ...path: readonly string[]): string | undefined {
  const found = valueAt(tree, path);
  return found?.kind === 'scalar' && found.type === 'text' ? found.text : undefined;
}

/** Returns the position of a key, or of the nearest value around it. */
export function positionOf(tree: Tree, path: readonly string[]): number {
  let at = tree.at;
  let found: Tree | undefined = tree;
  for (const key of path) {
    const entry: Entry | undefined = isDict(found) ? found.keys.get(key) : undefined;
    if (entry === undefined) break;
    at = entry.at >= 0 ? entry.at : at;
    found = entry.value;
  }
  return at;
}

const sizes = new WeakMap<Tree, number>();

/** Returns the number of values of a tree, with those of its aliases each time. */
export function sizeOf(tree: Tree): number {
  if (tree.kind === 'scalar') return 1;
  const known = sizes.get(tree);
  if (known !== undefined) return known;
  const inner = tree.kind === 'list' ? tree.items : [...tree.keys.values()].map(({ value }) => value);
  const size = inner.reduce((sum, one) => sum + sizeOf(one), 1);
  sizes.set(tree, size);
  return size;
}

/** Maps merge, key by key. Every other value replaces the former one, lists too. */
export function merged(base: Dict, over: Dict): Dict {
  const keys = new Map(base.keys);
  for (const [key, entry] of over.keys) {
    const before = keys.get(key)?.value;
    const value = isDict(before) && isDict(entry.value) ? merged(before, entry.value) : entry.value;
    keys.set(key, { value, at: entry.at });
  }
  return { kind: 'dict', keys, at: over.at >= 0 ? over.at : base.at };
}

export function without(dict: Dict, ...names: readonly string[]): Dict {
  const keys = new Map(dict.keys);
  for (const name of names) keys.delete(name);
  return { ...dict, keys };
}

export function withText(dict: Dict, key: string, text: string): Dict {
  const at = dict.keys.get(key)?.at ?? dict.at;
  const value: Scalar = { kind: 'scalar', at, ...textScalar(text) };
  return { ...dict, keys: new Map(dict.keys).set(key, { value, at }) };
}

/** Plain data of a value. A float that JSON lacks becomes its text. */
export function jsonOf(tree: Tree): Json {
  if (tree.kind === 'list') return tree.items.map(jsonOf);
  if (tree.kind === 'dict')
    return Object.fromEntries([...tree.keys].map(([key, { value }]) => [key, jsonOf(value)] as const));
  return typeof tree.value === 'number' && !Number.isFinite(tree.value) ? tree.text : tree.value;
}

/** Plain data as a value of no file. */
export function treeOf(json: unknown): Tree {
  if (Array.isArray(json)) return { kind: 'list', at: -1, items: json.map(treeOf) };
  if (typeof json === 'object' && json !== null) {
    const keys = Object.entries(json).map(([key, value]) => [key, { value: treeOf(value), at: -1 }] as const);
    return { kind: 'dict', at: -1, keys: new Map(keys) };
  }
  const read = typeof json === 'string' ? textScalar(json) : plainScalar(String(json));
  return { kind: 'scalar', at: -1, ...read };
}
