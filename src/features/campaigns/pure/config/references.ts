import { cut } from '../../../../importers/file-problem.js';
import { textScalar } from '../../../../importers/pyyaml/scalar.js';
import { isDict, type Scalar, sizeOf, type Tree } from '../../../../importers/pyyaml/tree.js';
import { typeOf } from '../../../../importers/pyyaml/words.js';
import type { Work } from '../../../../importers/work.js';
import type { Problem } from '../../../../model/failure.js';
import { isNull, leavesOf, withEntries } from './document.js';
import { problems } from './errors.js';
import { type Merge, openLimit, seekIn, sourceOf } from './merge.js';
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

/** Puts values in place of `@a.b` and `{@a.b}`, presets and lists excepted. */
export function resolveReferences(merge: Merge): Tree {
  if (!merge.work(4 * sizeOf(merge.tree), { file: merge.layout.file })) return merge.tree;
  const tree = new Resolver(merge).resolved(merge.tree, []);
  if (sizeOf(tree) <= MOST_VALUES) return tree;
  merge.complain(problems.tooLarge({ file: merge.layout.file }, `${MOST_VALUES} values`));
  return merge.tree;
}

class Resolver {
  readonly #done = new Map<Tree, Tree>();
  readonly #open: { readonly leaf: Tree; readonly path: Path }[] = [];
  readonly #mayMake: Work;
  readonly #mayCopy: Work;

  constructor(readonly merge: Merge) {
    this.#mayMake = openLimit(MOST_CHARACTERS, 'characters in texts with references', merge.complain);
    this.#mayCopy = openLimit(MOST_VALUES, 'values behind references', merge.complain);
  }

  resolved(tree: Tree, path: Path): Tree {
    if (isReference(tree)) return this.#resolvedOnce(tree, path);
    if (!isDict(tree) || (path.length === 1 && path[0] === this.merge.layout.presets)) return tree;
    return withEntries(tree, (key, { value, at }) => ({ value: this.resolved(value, [...path, key]), at }));
  }

  #resolvedOnce(leaf: Scalar, path: Path): Tree {
    const known = this.#done.get(leaf);
    if (known !== undefined) return known;
    const before = this.#open.findIndex((one) => one.leaf === leaf);
    if (before >= 0) {
      const loop = [...this.#open.slice(before), this.#open[before]!];
      const links = loop.map((one) => ({ name: pathText(one.path), place: sourceOf(this.merge, one.path) }));
      this.merge.complain(problems.referenceLoop(sourceOf(this.merge, path), links));
      return leaf;
    }
    this.#open.push({ leaf, path });
    const value = leaf.text.startsWith('@') ? this.#target(leaf.text.slice(1), leaf, path) : this.#inText(leaf, path);
    this.#open.pop();
    this.#done.set(leaf, value);
    return value;
  }

  #target(text: string, leaf: Scalar, path: Path): Tree {
    const { work, complain } = this.merge;
    const place = sourceOf(this.merge, path);
    const isTooLong = this.#open.length > LONGEST_CHAIN;
    if (isTooLong) complain(problems.tooLarge(place, `${LONGEST_CHAIN} references in a chain`));
    if (isTooLong || !work(REFERENCE, place)) return leaf;
    const found = seekIn(this.merge, text, place);
    if (!('code' in found))
      return this.#mayCopy(sizeOf(found.value), place) ? this.resolved(found.value, found.path) : leaf;
    const near = /^Near: .*?\. /.exec(found.next)?.[0];
    complain(problems.reference(place, leaf.text, found.message, near));
    return leaf;
  }

  /** The text with values in place of references. In our files it is null if one of them is: nothing is called "None". */
  #inText(leaf: Scalar, path: Path): Tree {
    const { layout, complain } = this.merge;
    const place = sourceOf(this.merge, path);
    let none: Tree | null = null;
    const text = leaf.text.replace(INNER, (whole, to: string) => {
      const value = this.#target(to, leaf, path);
      if (layout.isOurs && isNull(value)) none = value;
      if (value.kind === 'scalar') return value === leaf ? whole : value.text;
      complain(problems.reference(place, leaf.text, `${to} is ${typeOf(value)}`));
      return whole;
    });
    if (none !== null) return none;
    return this.#mayMake(text.length, place) ? { kind: 'scalar', at: leaf.at, ...textScalar(text) } : leaf;
  }
}
