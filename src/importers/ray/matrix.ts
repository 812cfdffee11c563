import type { Complain } from '../file-problem.js';
import type { Work } from '../work.js';
import type { Draft } from './definitions.js';
import { problems } from './errors.js';
import { textScalar } from '../pyyaml/scalar.js';
import { type Dict, isDict, sizeOf, type Tree, valueAt } from '../pyyaml/tree.js';

const MOST_COMBINATIONS = 1_000;
const LONGEST_TEXT = 20_000;
/** Filled characters that count as one value. */
const CHARACTERS = 20;

/** Texts by variable, in the order of the file. */
type Combination = ReadonlyMap<string, string>;

/** Tests of a matrix: the product of `setup`, and the combinations that `adjustments` add. */
export function fromMatrix(test: Draft, matrix: Tree, complain: Complain, work: Work): readonly Dict[] {
  const { doc, name } = test;
  const setup = valueAt(matrix, ['setup']);
  if (!isDict(matrix) || !isDict(setup)) {
    complain(problems.wrongValue(doc.place(matrix.at), 'matrix', 'a map with setup, a map of lists', matrix));
    return [];
  }
  for (const [key, { at }] of matrix.keys)
    if (!MATRIX_KEYS.includes(key)) complain(problems.unknownKey(doc.place(at), `matrix.${key}`, key, MATRIX_KEYS));
  const values = new Map(
    [...setup.keys].map(([variable, { value }]) => [variable, valuesOf(variable, value, test, complain)]),
  );
  const count = [...values.values()].reduce((product, { length }) => product * length, 1);
  const added = valueAt(matrix, ['adjustments']);
  const all = count + (added?.kind === 'list' ? added.items.length : 0);
  if (all > MOST_COMBINATIONS) {
    complain(problems.tooManyCombinations(doc.place(setup.at), name, MOST_COMBINATIONS));
    return [];
  }
  // Each text of a combination is searched for each variable.
  const each = (sizeOf(test.dict) + values.size) * (values.size + 1);
  if (!work(all * each, doc.place(setup.at))) return [];
  const combinations = [...product(values), ...adjustments(added, [...values.keys()], test, complain)];
  const seen = new Set<string>();
  return combinations.flatMap((combination) => {
    const told = [...combination]
      .map(([variable, text]) => `${variable}=${text}`)
      .sort()
      .join(', ');
    if (seen.has(told)) complain(problems.combinationTwice(doc.place(matrix.at), name, told));
    seen.add(told);
    const dict = substituted(test.dict, combination, (count) => work(count / CHARACTERS, doc.place(setup.at)));
    if (dict === null) complain(problems.tooManyCombinations(doc.place(matrix.at), name, MOST_COMBINATIONS));
    return dict === null ? [] : [dict];
  });
}

const MATRIX_KEYS = ['setup', 'adjustments'];

function valuesOf(variable: string, tree: Tree, { doc }: Draft, complain: Complain): readonly string[] {
  if (tree.kind !== 'list') {
    complain(problems.wrongValue(doc.place(tree.at), `matrix.setup.${variable}`, 'a list', tree));
    return [];
  }
  return tree.items.flatMap((item) => textOf(variable, item, doc, complain) ?? []);
}

/** Python's text of a value. */
function textOf(variable: string, tree: Tree, doc: Draft['doc'], complain: Complain): string | null {
  if (tree.kind === 'scalar') return tree.text;
  complain(problems.matrixValue(doc.place(tree.at), variable, tree));
  return null;
}

function product(values: ReadonlyMap<string, readonly string[]>): readonly Combination[] {
  let rows: readonly Combination[] = [new Map()];
  for (const [variable, texts] of values)
    rows = rows.flatMap((row) => texts.map((text) => new Map(row).set(variable, text)));
  return rows;
}

function adjustments(
  tree: Tree | undefined,
  variables: readonly string[],
  { doc }: Draft,
  complain: Complain,
): readonly Combination[] {
  if (tree === undefined) return [];
  if (tree.kind !== 'list') {
    complain(problems.wrongValue(doc.place(tree.at), 'matrix.adjustments', 'a list', tree));
    return [];
  }
  return tree.items.flatMap((item) => {
    const said = valueAt(item, ['with']);
    if (!isDict(said)) {
      complain(problems.wrongValue(doc.place(item.at), 'an adjustment', 'a map: with: { VARIABLE: value }', item));
      return [];
    }
    const missing = variables.filter((variable) => !said.keys.has(variable));
    const strange = [...said.keys.keys()].filter((variable) => !variables.includes(variable));
    if (missing.length + strange.length > 0) {
      complain(problems.adjustment(doc.place(said.at), missing, strange));
      return [];
    }
    const texts = [...said.keys].map(
      ([variable, { value }]) => [variable, textOf(variable, value, doc, complain)] as const,
    );
    return texts.some(([, text]) => text === null) ? [] : [new Map(texts as readonly (readonly [string, string])[])];
  });
}

/** Fills in `{{ variable }}` in all texts, one variable after the other. A value is literal. Null: a text becomes too long. */
function substituted(dict: Dict, combination: Combination, take: (characters: number) => boolean): Dict | null {
  let isTooLong = false;
  const fill = (text: string): string => {
    let filled = text;
    for (const [variable, value] of combination) {
      if (!filled.includes('{{')) break;
      filled = withValue(filled, variable, value);
      if (filled.length > LONGEST_TEXT || !take(filled.length)) {
        isTooLong = true;
        return text;
      }
    }
    return filled;
  };
  const walk = (tree: Tree): Tree => {
    if (tree.kind === 'list') return { ...tree, items: tree.items.map(walk) };
    if (tree.kind === 'dict')
      return {
        ...tree,
        keys: new Map([...tree.keys].map(([key, { value, at }]) => [key, { value: walk(value), at }])),
      };
    return tree.type === 'text' && tree.text.includes('{{') ? { ...tree, ...textScalar(fill(tree.text)) } : tree;
  };
  const filled = walk(dict) as Dict;
  return isTooLong ? null : filled;
}

/** Fills in one variable. Its own blanks are left to the blanks around it: an expression with both would take quadratic time. */
export function withValue(text: string, variable: string, value: string): string {
  const core = variable.trim().replace(/[^\w]/gu, '\\$&');
  const pattern = new RegExp(`\\{\\{(\\s*${core === '' ? '' : `${core}\\s*`})\\}\\}`, 'g');
  return text.replace(pattern, (whole, inner: string) => (inner.includes(variable) ? value : whole));
}
