import type { Complain } from '../../../../importers/file-problem.js';
import type { Doc } from '../../../../importers/pyyaml/read.js';
import { isDict, jsonOf, type Tree } from '../../../../importers/pyyaml/tree.js';
import type { Work } from '../../../../importers/work.js';
import type { SourceLocation } from '../../../../model/failure.js';
import { type Found, find, isFound, withValue } from './document.js';
import { problems } from './errors.js';
import type { Assignment, From } from './from.js';
import type { Layout } from './layouts.js';
import { isPath, type Path, pathText, readPath, startsWith } from './path.js';
import { typed } from './typed.js';
import { whyMissing } from './near.js';

/** A value that stands at a path since a line of a file or an option. */
export interface Layer {
  readonly path: Path;
  readonly tree: Tree;
  readonly from: From;
  /** Place of a value inside `tree`. */
  readonly placeOf: (at: number) => SourceLocation;
}

/** A document while layers are put on it. Trees are never changed: each assignment makes another one. */
export interface Merge {
  tree: Tree;
  readonly layers: Layer[];
  /** Those that hold presets: the file, and what was assigned inside a preset since. */
  readonly patches: Layer[];
  readonly work: Work;
  readonly complain: Complain;
  readonly layout: Layout;
}

export function openMerge(doc: Doc, around: Pick<Merge, 'work' | 'complain' | 'layout'>): Merge {
  const { tree, place, file } = doc;
  const layer = { path: [], tree, from: { place: { file } }, placeOf: place };
  return { ...around, tree, layers: [layer], patches: [layer] };
}

/** What an assignment says, and from where. */
export interface Said {
  /** As written. */
  readonly path: string;
  readonly value: Tree;
  readonly from: From;
  readonly placeOf: Layer['placeOf'];
}

/** Assigns a value to a path that exists. Returns null, and complains, if it does not or the value has another type. */
export function assign(merge: Merge, { path: text, value: given, from, placeOf }: Said): Assignment | null {
  const path = readPath(text);
  const found = isPath(path) ? find(merge.tree, path) : null;
  if (!isPath(path)) merge.complain(problems.path(from.place, text, path));
  else if (found !== null && !isFound(found))
    merge.complain(
      problems.unknownKey(from.place, text, ...whyMissing(merge.tree, path, found, merge.layout.presets.at)),
    );
  if (found === null || !isFound(found)) return null;
  const value = typedIn(merge.layout, given, found.value, from);
  if ('hint' in value) {
    merge.complain(problems.type(from.place, text, given, found.value, value.hint));
    return null;
  }
  if (!merge.work(sizeAlong(merge.tree, found.path), from.place)) return null;
  merge.tree = withValue(merge.tree, found.path, value);
  const layer = { path: found.path, tree: value, from, placeOf };
  merge.layers.push(layer);
  if (startsWith(layer.path, merge.layout.presets.at)) merge.patches.push(layer);
  return { path: pathText(found.path), value: jsonOf(value), from };
}

/** In files of other tools a preset may change a type, and an option may where no typing mistake is likely. */
function typedIn({ isOurs }: Layout, value: Tree, was: Tree, { by, preset }: From): ReturnType<typeof typed> {
  if (!isOurs && (by ?? preset) !== undefined) return value;
  const made = typed(value, was);
  return 'hint' in made && made.hint === null && !isOurs ? value : made;
}

/** Number of entries that are copied to change the value at a path. */
function sizeAlong(tree: Tree, path: Path): number {
  let [size, at]: [number, Tree] = [1, tree];
  for (const key of path) {
    size += at.kind === 'list' ? at.items.length : isDict(at) ? at.keys.size : 0;
    at = (find(at, [key]) as Found).value;
  }
  return size;
}

/** Returns the layer that assigned the value at a path last, and the place: of the value, or of the nearest one around it that the
 * layer has. */
export function sourceOf(layers: readonly Layer[], path: Path): Layer & { readonly place: SourceLocation } {
  const layer = layers.findLast((one) => startsWith(path, one.path))!;
  const inner = path.slice(layer.path.length);
  const led = find(layer.tree, inner);
  const { at } = (isFound(led) ? led : find(layer.tree, inner.slice(0, led.known))) as Found;
  const isWhole = layer.path.length > 0 && (isFound(led) ? inner.length : led.known) === 0;
  return { ...layer, place: isWhole || at < 0 ? layer.from.place : layer.placeOf(at) };
}
