import type { Complain } from '../file-problem.js';
import type { SourceLocation } from '../../model/failure.js';
import { problems } from './errors.js';
import type { Work } from '../work.js';
import { fromMatrix } from './matrix.js';
import type { Doc } from '../pyyaml/read.js';
import { type Dict, EMPTY, isDict, merged, positionOf, sizeOf, type Tree, without, withText } from '../pyyaml/tree.js';

/** A test before its keys are checked. */
export interface Draft {
  readonly name: string;
  readonly dict: Dict;
  readonly doc: Doc;
  /** Position of its entry or of its variation. */
  readonly at: number;
  /** Keys of its smoke test that nothing reads. */
  readonly idle?: readonly string[];
}

export const MOST_TESTS = 2_000;

/** Returns the place of a key of a test, or of the nearest value around it. */
export function placeOf(
  { dict, doc, at }: Pick<Draft, 'dict' | 'doc' | 'at'>,
  ...path: readonly string[]
): SourceLocation {
  const found = path.length === 0 ? -1 : positionOf({ ...dict, at: -1 }, path);
  return doc.place(found < 0 ? at : found);
}

/** Tests of a file, by upstream's rules: DEFAULTS are merged into the entries behind them; variations and matrices make many of one. */
export function testsIn(doc: Doc, complain: Complain, work: Work): readonly Draft[] {
  if (doc.tree.kind !== 'list') {
    complain(problems.notAList(doc.place(doc.tree.at), doc.tree));
    return [];
  }
  const tests: Draft[] = [];
  let defaults = EMPTY;
  for (const entry of doc.tree.items) {
    if (!work(sizeOf(defaults) + sizeOf(entry), doc.place(entry.at))) break;
    if (!isDict(entry)) complain(problems.wrongValue(doc.place(entry.at), 'an entry', 'a map of keys', entry));
    else {
      const name = nameOf(entry, entry.at, doc, complain);
      if (name === DEFAULTS) defaults = entry;
      else if (name !== null)
        tests.push(...expanded({ name, dict: merged(defaults, entry), doc, at: entry.at }, complain, work));
    }
    if (tests.length > MOST_TESTS) {
      complain(problems.tooMany(doc.place(entry.at), MOST_TESTS));
      break;
    }
  }
  return tests;
}

const DEFAULTS = 'DEFAULTS';

function nameOf(dict: Dict, at: number, doc: Doc, complain: Complain): string | null {
  const found = dict.keys.get('name')?.value;
  if (found?.kind === 'scalar' && found.type === 'text') return found.text;
  if (found === undefined) complain(problems.keyMissing(doc.place(at), 'a test', 'name'));
  else complain(problems.wrongValue(doc.place(found.at), 'name', 'a text', found));
  return null;
}

function expanded(test: Draft, complain: Complain, work: Work): readonly Draft[] {
  const matrix = test.dict.keys.get('matrix');
  const variations = test.dict.keys.get('variations');
  if (matrix && variations) complain(problems.bothExpansions(test.doc.place(matrix.at), test.name));
  if (variations) return fromVariations(test, variations.value, complain, work);
  if (!matrix) return [test];
  return fromMatrix({ ...test, dict: without(test.dict, 'matrix') }, matrix.value, complain, work).flatMap((dict) => {
    const name = nameOf(dict, test.at, test.doc, complain);
    return name === null ? [] : [{ ...test, name, dict }];
  });
}

function fromVariations(test: Draft, variations: Tree, complain: Complain, work: Work): readonly Draft[] {
  const { doc, name } = test;
  if (variations.kind !== 'list' || variations.items.length === 0) {
    const place = placeOf(test, 'variations');
    complain(
      variations.kind === 'list' || (variations.kind === 'scalar' && variations.type === 'null')
        ? problems.noVariations(place, name)
        : problems.wrongValue(place, 'variations', 'a list of maps', variations),
    );
    return [];
  }
  const base = without(test.dict, 'variations', 'matrix');
  if (!work(variations.items.length * sizeOf(base), placeOf(test, 'variations'))) return [];
  return variations.items.slice(0, MOST_TESTS + 1).flatMap((variation) => {
    const suffix = isDict(variation) ? variation.keys.get(SUFFIX)?.value : undefined;
    if (!isDict(variation)) complain(problems.wrongValue(doc.place(variation.at), 'a variation', 'a map', variation));
    else if (suffix === undefined) complain(problems.noSuffix(doc.place(variation.at), name));
    else if (suffix.kind !== 'scalar' || suffix.type === 'null')
      complain(problems.wrongValue(doc.place(suffix.at), SUFFIX, 'a text', suffix));
    else {
      const full = `${name}.${suffix.text}`;
      const dict = merged(withText(base, 'name', full), without(variation, SUFFIX));
      return [{ doc, at: variation.at, dict, name: nameOf(dict, variation.at, doc, complain) ?? full }];
    }
    return [];
  });
}

const SUFFIX = '__suffix__';
