import type { Complain } from '../../../../importers/file-problem.js';
import { textScalar } from '../../../../importers/pyyaml/scalar.js';
import { type Entry, jsonOf, type Scalar, sizeOf, type Tree } from '../../../../importers/pyyaml/tree.js';
import { openWork, type Work } from '../../../../importers/work.js';
import type { SourceLocation } from '../../../../model/failure.js';
import { follow, isNull, withValue } from './document.js';
import { problems } from './errors.js';
import type { Layout } from './presets.js';
import { seek } from './near.js';
import type { Path } from './path.js';
import type { Assignment, From } from './why.js';

/** An assignment that was carried out. */
export interface Layer extends Assignment {
  /** Its path with indexes from the start of each list. `path` is as written. */
  readonly to: Path;
}

/** A document while layers are put on it. Trees are never changed: each assignment makes another one.
 * Positions in the tree are those of the assignments, so the tree says where each of its values comes from. */
export interface Merge {
  tree: Tree;
  /** In order. The file is none of them. */
  readonly layers: Layer[];
  /** Names of applied presets, each before those that it extends. */
  readonly names: Set<string>;
  readonly layout: Layout;
  readonly work: Work;
  /** Limits searches for near names. */
  readonly search: Work;
  readonly complain: Complain;
  /** Returns the line or the option of a position. */
  placeOf(at: number): SourceLocation;
}

export type Limits = Pick<Merge, 'work' | 'search'>;
/** A limit whose problem is CONFIG_TOO_LARGE. */
export const openLimit = (most: number, what: string, complain: Complain): Work =>
  openWork(most, what, ({ place }) => complain(problems.tooLarge(place, `${most} ${what}`)));

/** Copied entries of maps and lists, and what takes as long: about a second. */
const MOST_WORK = 5_000_000;
const MOST_SEARCHED = 1_000_000;

/** @param times how many configurations share the limits */
export const openLimits = (complain: Complain, times = 1): Limits => ({
  work: openLimit(times * MOST_WORK, 'copied values and checks by models', complain),
  search: openWork(times * MOST_SEARCHED, '', () => undefined),
});

/** An entry of a preset or an option, whose key is a path. */
export interface PathEntry extends Entry {
  /** As written. */
  readonly path: string;
}

/** Source of an assignment: a preset, or a key of the file that assigns values. Empty: an option. */
type By = Omit<From, 'place'>;

/** An applied preset, or an assignment, takes as long as so many copied entries. */
export const COST = 500;
/** A search for near names compares many names, and walks past each value of the document. */
const SEARCH = 50_000;

/** Returns false where no search for near names may be made any more: problems are told without them then. */
export const maySearch = ({ tree, search }: Merge, place: SourceLocation): boolean =>
  search(SEARCH + 4 * sizeOf(tree), place);

export const seekIn = (merge: Merge, text: string, place: SourceLocation, except?: string): ReturnType<typeof seek> =>
  seek(merge.tree, text, place, except, () => maySearch(merge, place));

/** Assigns a value to a path that is there. Complains if it is not, or if the value has another type. */
export function assign(merge: Merge, { path, value, at }: PathEntry, by: By = {}): void {
  const place = merge.placeOf(at);
  if (!merge.work(COST + 4 * sizeOf(value), place)) return;
  const found = seekIn(merge, path, place, merge.layout.presets);
  if ('code' in found) return merge.complain(found);
  const tree = typedIn(merge.layout, value, found.value, by);
  if ('hint' in tree) return merge.complain(problems.type(place, path, value, found.value, tree.hint));
  if (merge.work(found.size, place)) put(merge, { path, value: tree, at }, found.path, by);
}

/** Puts a value of any type at a path that is there. */
export function put(merge: Merge, { path, value, at }: PathEntry, to: Path, by: By): void {
  merge.tree = withValue(merge.tree, to, { value, at });
  merge.layers.push({ path, value: jsonOf(value), to, from: { place: merge.placeOf(at), ...by } });
}

/** In files of other tools a preset may change a type, and an option may where no typing mistake is likely. */
function typedIn({ isOurs }: Layout, value: Tree, was: Tree, { by }: By): Tree | Refused {
  if (!isOurs && by !== undefined) return value;
  const made = typed(value, was);
  return 'hint' in made && made.hint === null && !isOurs ? value : made;
}

/** Returns the line or the option that a value comes from: that of the nearest value around it, if the path leads no further. */
export const sourceOf = ({ tree, placeOf }: Merge, path: Path): SourceLocation => placeOf(follow(tree, path).at);

/** Advice: the text to write in place of a value of another type. Null: a value of the type. */
interface Refused {
  readonly hint: string | null;
}

/** Returns a value in the type of the former one: `1.10` is a text where a text was. Null and lists take any value; null replaces any. */
function typed(value: Tree, was: Tree): Tree | Refused {
  if (isNull(was) || was.kind === 'list' || isNull(value)) return value;
  if (was.kind === 'dict' || value.kind !== 'scalar') return was.kind === value.kind ? value : { hint: null };
  return typedScalar(value, was);
}

function typedScalar(value: Scalar, was: Scalar): Tree | Refused {
  const { source = value.text } = value;
  if (was.type === 'text' || was.type === 'date')
    return value.type === 'text' ? value : { kind: 'scalar', at: value.at, ...textScalar(source) };
  if (was.type !== 'boolean') return value.type === 'integer' || value.type === was.type ? value : { hint: null };
  if (value.type === 'boolean' && /^(true|false)$/i.test(source)) return value;
  return { hint: /^(yes|on|true|y)$/i.test(source) ? 'true' : /^(no|off|false|n)$/i.test(source) ? 'false' : null };
}
