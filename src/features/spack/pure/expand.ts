import { type Complain, quoted } from '../../../importers/file-problem.js';
import { type Dict, isDict, textAt, type Tree } from '../../../importers/pyyaml/tree.js';
import type { SourceLocation } from '../../../model/failure.js';
import { problems } from './errors.js';
import { isTold, type Part } from './include.js';
import { isUnderstood, parseSpec } from './spec/parse.js';
import { printSpec } from './spec/print.js';
import { merged, satisfies } from './spec/relate.js';
import type { Spec } from './spec/spec.js';
import type { Host } from './when.js';

/** A root of an environment as Spack would print it. */
export interface Root {
  readonly spec: string;
  /** Group of specs. Null: the file has it in none. */
  readonly group: string | null;
}

/** The roots of an environment, or why they cannot be told from the file alone. */
export type Roots =
  | {
      readonly roots: readonly Root[];
      /** Specs of a definition, by its name. Null: they cannot be told. */
      list(name: string): readonly string[] | null;
    }
  | { readonly why: string };

/** Specs that matrices make, with those that are excluded. */
const MOST_SPECS = 20_000;
const MOST_NESTED = 40;

/** Expands `specs` with `definitions` of a spack.yaml and of the files that it includes. Complains of what Spack would refuse. */
export function expandRoots(parts: readonly Part[], host: Host, complain: Complain): Roots {
  const [own] = parts as readonly [Part];
  return told(() => {
    const expansion = new Expansion(definitionsIn(parts, host, complain), complain);
    const roots = itemsOf(own.top.keys.get('specs')?.value).flatMap((item) =>
      expansion.rooted({ item, part: own }).map(({ spec, group }) => ({ spec: printSpec(spec), group })),
    );
    const sorted = [...new Map(roots.map((root) => [root.spec, root])).values()];
    const list = (name: string) => told(() => [...new Set(expansion.listed(name).map(printSpec))].sort());
    return {
      roots: sorted.sort((a, b) => (a.spec < b.spec ? -1 : 1)),
      list: (name) => {
        const found = list(name);
        return 'why' in found ? null : found;
      },
    };
  });
}

function told<T>(make: () => T): T | { readonly why: string } {
  try {
    return make();
  } catch (error) {
    if (error instanceof NotTold) return { why: error.message };
    throw error;
  }
}

class NotTold extends Error {}
const refuse = (why: string): never => {
  throw new NotTold(why);
};

/** An item of a list of specs, and the file that has it. */
interface Item {
  readonly item: Tree;
  readonly part: Part;
}
type Definitions = ReadonlyMap<string, readonly Item[]>;

const itemsOf = (tree: Tree | undefined): readonly Tree[] =>
  tree === undefined ? [] : tree.kind === 'list' ? tree.items : refuse('a list of specs is no list');

/** Names of lists with their items and conditions, as a file has them. */
export const definitionsOf = (top: Dict): readonly (readonly [string, Tree, Tree | undefined])[] => {
  const found = (top.keys.get('definitions') ?? top.keys.get('definitions:'))?.value;
  return (found?.kind === 'list' ? found.items : []).filter(isDict).flatMap(({ keys }) => {
    const lists = [...keys].filter(([name]) => name !== 'when');
    return lists.map(([name, { value }]) => [name, value, keys.get('when')?.value] as const);
  });
};

/** Lists of one name are one list. */
function definitionsIn(parts: readonly Part[], host: Host, complain: Complain): Definitions {
  const all = new Map<string, readonly Item[]>();
  for (const part of parts)
    for (const [name, tree, when] of definitionsOf(part.top)) {
      const counts = when === undefined || isTold(when, host, part.doc, complain);
      const items = counts ? itemsOf(tree).map((item) => ({ item, part })) : [];
      all.set(name, [...(all.get(name) ?? []), ...items]);
    }
  return all;
}

class Expansion {
  private made = 0;

  constructor(
    private readonly definitions: Definitions,
    private readonly complain: Complain,
  ) {}

  /** Returns the specs of an item of `specs`, which may be a group. */
  rooted({ item, part }: Item): readonly { readonly spec: Spec; readonly group: string | null }[] {
    const group = isDict(item) ? (textAt(item, 'group') ?? null) : null;
    const items = group === null ? [item] : itemsOf((item as Dict).keys.get('specs')?.value);
    return this.list(items.map((one) => ({ item: one, part }))).map((spec) => ({ spec, group }));
  }

  listed(name: string): readonly Spec[] {
    return this.list(this.definitions.get(name) ?? [], [name]);
  }

  /** @param within names of the definitions around the items, outermost first */
  private list(items: readonly Item[], within: readonly string[] = []): readonly Spec[] {
    return items.flatMap((item) => this.item(item, within));
  }

  private item({ item, part }: Item, within: readonly string[]): readonly Spec[] {
    if (within.length > MOST_NESTED) refuse('definitions are nested too deep');
    if (isDict(item)) return this.matrix(item, part, within);
    if (item.kind === 'list') return this.inner(item, part, within);
    const [, sigil = '', name] = /^\$([\^%]?)([\w-]+)$/.exec(item.text) ?? [];
    return name === undefined
      ? [this.read(item.text)]
      : this.named(name, part.doc.place(item.at), within).map((spec) => this.signed(sigil, spec));
  }

  private inner(tree: Tree | undefined, part: Part, within: readonly string[]): readonly Spec[] {
    return this.list(
      itemsOf(tree).map((item) => ({ item, part })),
      within,
    );
  }

  private named(name: string, place: SourceLocation, within: readonly string[]): readonly Spec[] {
    const items = this.definitions.get(name);
    if (items !== undefined && !within.includes(name)) return this.list(items, [...within, name]);
    this.complain(
      items === undefined
        ? problems.definitionUndefined(place, name)
        : problems.definitionCycle(place, [...within, name].join(' needs $')),
    );
    return [];
  }

  /** The last row varies first. A row that has lists is one row. */
  private matrix(item: Dict, part: Part, within: readonly string[]): readonly Spec[] {
    const strange = [...item.keys.keys()].find((key) => key !== 'matrix' && key !== 'exclude');
    if (strange !== undefined) refuse(`a spec has the key ${quoted(strange)}`);
    const place = part.doc.place(item.at);
    const rows = itemsOf(item.keys.get('matrix')?.value).map((row) => this.inner(row, part, within));
    const excluded = this.inner(item.keys.get('exclude')?.value, part, within);
    const size = rows.reduce((product, row) => product * row.length, 1);
    if (this.made + size > MOST_SPECS) {
      this.complain(problems.matrixTooLarge(place, size, MOST_SPECS));
      return [];
    }
    this.made += size;
    const [first = [], ...rest] = size === 0 ? [] : rows;
    const contrary: (readonly [Spec, Spec])[] = [];
    const both = (one: Spec, other: Spec): readonly Spec[] => {
      const found = merged(one, other);
      if (found === null) contrary.push([one, other]);
      return found === null ? [] : [found];
    };
    const all = rest.reduce((some, row) => some.flatMap((one) => row.flatMap((other) => both(one, other))), first);
    const [pair] = contrary;
    if (pair !== undefined) this.complain(problems.matrixContradicts(place, printSpec(pair[0]), printSpec(pair[1])));
    return all.filter((spec) => !excluded.some((one) => satisfies(spec, one)));
  }

  private read(text: string): Spec {
    this.made += 1;
    if (this.made > MOST_SPECS) refuse(`lists make more than ${MOST_SPECS} specs`);
    const spec = parseSpec(text);
    return isUnderstood(spec) ? spec : refuse(`the spec ${quoted(text)} is not understood: ${spec.why}`);
  }

  private signed(sigil: string, spec: Spec): Spec {
    return sigil === '' ? spec : this.read(`${sigil}${printSpec(spec)}`);
  }
}
