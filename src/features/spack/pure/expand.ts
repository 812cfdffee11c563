import { quoted } from '../../../importers/file-problem.js';
import type { Dict, Tree } from '../../../importers/pyyaml/tree.js';
import { isDict } from '../../../importers/pyyaml/tree.js';
import { isUnderstood, parseSpec } from './spec/parse.js';
import { printSpec } from './spec/print.js';
import { merged, satisfies } from './spec/relate.js';
import type { Spec } from './spec/spec.js';

/** The roots of an environment as Spack would print them, or why they cannot be told from the file alone. */
export type Roots = { readonly roots: readonly string[] } | { readonly why: string };

/** Specs that matrices make, with those that are excluded. */
const MOST_SPECS = 20_000;
const MOST_NESTED = 40;

/** Expands `specs` with `definitions` of a spack.yaml. */
export function expandRoots(top: Dict): Roots {
  try {
    const expansion = new Expansion(definitionsIn(top));
    const specs = expansion.list(itemsOf(top.keys.get('specs')?.value), []);
    return { roots: [...new Set(specs.map(printSpec))].sort() };
  } catch (error) {
    if (error instanceof NotTold) return { why: error.message };
    throw error;
  }
}

class NotTold extends Error {}
const refuse = (why: string): never => {
  throw new NotTold(why);
};

type Definitions = ReadonlyMap<string, readonly Tree[]>;

const itemsOf = (tree: Tree | undefined): readonly Tree[] =>
  tree === undefined ? [] : tree.kind === 'list' ? tree.items : refuse('a list of specs is no list');

/** Lists of one name are one list. */
function definitionsIn(top: Dict): Definitions {
  const all = new Map<string, readonly Tree[]>();
  for (const one of itemsOf(top.keys.get('definitions')?.value)) {
    if (!isDict(one)) refuse('a definition is no map');
    for (const [name, { value }] of (one as Dict).keys) {
      if (name === 'when') refuse('a definition has `when`, which asks about the machine');
      all.set(name, [...(all.get(name) ?? []), ...itemsOf(value)]);
    }
  }
  return all;
}

class Expansion {
  private made = 0;

  constructor(private readonly definitions: Definitions) {}

  /** @param within names of the definitions around the items, outermost first */
  list(items: readonly Tree[], within: readonly string[]): readonly Spec[] {
    return items.flatMap((item) => this.item(item, within));
  }

  private item(item: Tree, within: readonly string[]): readonly Spec[] {
    if (within.length > MOST_NESTED) refuse('definitions are nested too deep');
    if (isDict(item)) return this.matrix(item, within);
    if (item.kind === 'list') return this.list(item.items, within);
    const [, sigil = '', name] = /^\$([\^%]?)([\w-]+)$/.exec(item.text) ?? [];
    return name === undefined
      ? [this.read(item.text)]
      : this.named(name, within).map((spec) => this.signed(sigil, spec));
  }

  private named(name: string, within: readonly string[]): readonly Spec[] {
    const items = this.definitions.get(name) ?? refuse(`nothing defines $${name} in this file`);
    if (within.includes(name)) refuse(`$${[...within, name].join(' needs $')}`);
    return this.list(items, [...within, name]);
  }

  /** The last row varies first. A row that has lists is one row. */
  private matrix(item: Dict, within: readonly string[]): readonly Spec[] {
    const strange = [...item.keys.keys()].find((key) => key !== 'matrix' && key !== 'exclude');
    if (strange !== undefined) refuse(`a spec has the key ${quoted(strange)}`);
    const rows = itemsOf(item.keys.get('matrix')?.value).map((row) => this.list(itemsOf(row), within));
    const excluded = this.list(itemsOf(item.keys.get('exclude')?.value), within);
    this.count(rows.reduce((product, row) => product * row.length, 1));
    const [first = [], ...rest] = rows;
    const all = rest.reduce((some, row) => some.flatMap((one) => row.map((other) => both(one, other))), first);
    return all.filter((spec) => !excluded.some((one) => satisfies(spec, one)));
  }

  private count(more: number): void {
    this.made += more;
    if (this.made > MOST_SPECS) refuse(`matrices make more than ${MOST_SPECS} specs`);
  }

  private read(text: string): Spec {
    this.count(1);
    const spec = parseSpec(text);
    return isUnderstood(spec) ? spec : refuse(`the spec ${quoted(text)} is not understood: ${spec.why}`);
  }

  private signed(sigil: string, spec: Spec): Spec {
    return sigil === '' ? spec : this.read(`${sigil}${printSpec(spec)}`);
  }
}

const both = (one: Spec, other: Spec): Spec =>
  merged(one, other) ?? refuse(`${quoted(printSpec(one))} contradicts ${quoted(printSpec(other))}`);
