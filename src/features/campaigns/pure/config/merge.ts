import type { Complain } from '../../../../importers/file-problem.js';
import type { Doc } from '../../../../importers/pyyaml/read.js';
import { isDict, jsonOf, type Tree } from '../../../../importers/pyyaml/tree.js';
import type { Work } from '../../../../importers/work.js';
import type { SourceLocation } from '../../../../model/failure.js';
import { type Found, find, isFound, withValue } from './document.js';
import { problems } from './errors.js';
import type { Assignment, From } from './from.js';
import type { Layout } from './layouts.js';
import { seek } from './near.js';
import { type Path, startsWith } from './path.js';
import { typed } from './typed.js';

/** A value that stands at a path since a line of a file or an option. */
export interface Layer {
  readonly path: Path;
  readonly tree: Tree;
  readonly from: From;
  /** Place of a position inside `tree`. */
  readonly placeOf: (at: number) => SourceLocation;
}

/** A document while layers are put on it. Trees are never changed: each assignment makes another one. */
export interface Merge {
  tree: Tree;
  readonly doc: Doc;
  readonly layers: Layer[];
  /** Those that hold presets: the file, and what was assigned inside a preset since. */
  readonly patches: Layer[];
  readonly work: Work;
  readonly complain: Complain;
  readonly layout: Layout;
}

export function openMerge(doc: Doc, around: Pick<Merge, 'work' | 'complain' | 'layout'>): Merge {
  const layer = { path: [], tree: doc.tree, from: { place: { file: doc.file } }, placeOf: doc.place };
  return { ...around, tree: doc.tree, doc, layers: [layer], patches: [layer] };
}

/** What an assignment says, and from where. */
export interface Said extends Pick<Layer, 'from' | 'placeOf'> {
  /** As written. */
  readonly path: string;
  readonly value: Tree;
}

/** Assigns a value to a path that exists. Returns the assignment as written. Returns nothing, and complains, if it does not or the value has another type. */
export function assign(merge: Merge, { path: text, value, from, placeOf }: Said): readonly Assignment[] {
  const found = seek(merge.tree, text, merge.layout.presets.at);
  if (typeof found === 'function') merge.complain(found(from.place));
  if (typeof found === 'function') return [];
  const tree = typedIn(merge.layout, value, found.value, from);
  if ('hint' in tree) merge.complain(problems.type(from.place, text, value, found.value, tree.hint));
  if ('hint' in tree || !merge.work(sizeAlong(merge.tree, found.path), from.place)) return [];
  put(merge, { path: found.path, tree, from, placeOf });
  return [{ path: text, value: jsonOf(tree), from }];
}

/** Puts a value at a path that exists, of any type. */
export function put(merge: Merge, layer: Layer): void {
  merge.tree = withValue(merge.tree, layer.path, layer.tree);
  merge.layers.push(layer);
  if (layer.path[0] === merge.layout.presets.at) merge.patches.push(layer);
}

/** In files of other tools a preset may change a type, and an option may where no typing mistake is likely. */
function typedIn({ isOurs }: Layout, value: Tree, was: Tree, { by }: From): ReturnType<typeof typed> {
  if (!isOurs && by !== undefined) return value;
  const made = typed(value, was);
  return 'hint' in made && made.hint === null && !isOurs ? value : made;
}

/** Number of entries that are copied to change the value at a path. */
const sizeAlong = (tree: Tree, path: Path): number =>
  path.reduce<number>((sum, _, index) => {
    const { value } = find(tree, path.slice(0, index)) as Found;
    return sum + (value.kind === 'list' ? value.items.length : isDict(value) ? value.keys.size : 0);
  }, 1);

/** Returns the layer that assigned the value at a path last, and the place: of the value, or of the nearest one around it that the
 * layer has. */
export function sourceOf(layers: readonly Layer[], path: Path): Layer & { readonly place: SourceLocation } {
  const layer = layers.findLast((one) => startsWith(path, one.path))!;
  const inner = path.slice(layer.path.length);
  const led = find(layer.tree, inner);
  const { at, path: known } = (isFound(led) ? led : find(layer.tree, inner.slice(0, led.known))) as Found;
  const isWhole = layer.path.length > 0 && known.length === 0;
  return { ...layer, place: isWhole || at < 0 ? layer.from.place : layer.placeOf(at) };
}
