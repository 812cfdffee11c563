import { type Complain, quoted } from '../../../importers/file-problem.js';
import { type Dict, isDict, textAt, type Tree, valueAt } from '../../../importers/pyyaml/tree.js';
import type { SourceLocation } from '../../../model/failure.js';
import { order } from '../../../model/order.js';
import { type Definitions, definitionsIn, type Item, listIn } from './definitions.js';
import { problems } from './errors.js';
import type { Part } from './include.js';
import { type NotUnderstood, refuse, unlessRefused } from './refusal.js';
import { isUnderstood, parseSpec } from './spec/parse.js';
import { printSpec } from './spec/print.js';
import { merged, satisfies } from './spec/relate.js';
import type { Spec } from './spec/spec.js';
import type { Host } from './when-words.js';

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
  | NotUnderstood;

/** Specs that matrices make, with those that are excluded. */
const MOST_SPECS = 20_000;
const MOST_NESTED = 40;

/** Expands `specs` with `definitions` of a spack.yaml and of the files that it includes. Complains of what Spack would refuse. */
export function expandRoots(parts: readonly Part[], host: Host, complain: Complain): Roots {
  const [own] = parts as readonly [Part];
  return unlessRefused(() => {
    const definitions = definitionsIn(parts, host, complain);
    const expansion = new Expansion(definitions, complain);
    const roots = listIn(own, valueAt(own.top, ['specs'])).flatMap((item) => expansion.rooted(item));
    const sorted = [...new Map(roots.map((root) => [root.spec, root])).values()];
    return {
      roots: sorted.sort((a, b) => order(a.spec, b.spec)),
      list: (name) => {
        const items = definitions.get(name) ?? [];
        const found = unlessRefused(() => [...new Set(expansion.list(items, [name]).map(printSpec))].sort());
        return 'why' in found ? null : found;
      },
    };
  });
}

class Expansion {
  private made = 0;

  constructor(
    private readonly definitions: Definitions,
    private readonly complain: Complain,
  ) {}

  /** Returns the roots of an item of `specs`, which may be a group. */
  rooted(own: Item): readonly Root[] {
    const group = textAt(own.item, 'group') ?? null;
    const items = group === null ? [own] : listIn(own.part, valueAt(own.item, ['specs']));
    return this.list(items).map((spec) => ({ spec: printSpec(spec), group }));
  }

  /** @param within names of the definitions around the items, outermost first */
  list(items: readonly Item[], within: readonly string[] = []): readonly Spec[] {
    return items.flatMap((item) => this.item(item, within));
  }

  private item({ item, part }: Item, within: readonly string[]): readonly Spec[] {
    if (within.length > MOST_NESTED) refuse('definitions are nested too deep');
    if (isDict(item)) return this.matrix(item, part, within);
    if (item.kind === 'list') return this.list(listIn(part, item), within);
    const [, sigil = '', name] = /^\$([\^%]?)([\w-]+)$/.exec(item.text) ?? [];
    if (name === undefined) return [this.read(item.text)];
    const specs = this.named(name, part.doc.place(item.at), within);
    return sigil === '' ? specs : specs.map((spec) => this.read(`${sigil}${printSpec(spec)}`));
  }

  private named(name: string, place: SourceLocation, within: readonly string[]): readonly Spec[] {
    const items = this.definitions.get(name);
    if (items !== undefined && !within.includes(name)) return this.list(items, [...within, name]);
    if (items === undefined) this.complain(problems.definitionUndefined(place, name));
    else this.complain(problems.definitionCycle(place, [...within, name].join(' needs $')));
    return [];
  }

  /** A row that has lists is one row. */
  private matrix(item: Dict, part: Part, within: readonly string[]): readonly Spec[] {
    const strange = [...item.keys.keys()].find((key) => key !== 'matrix' && key !== 'exclude');
    if (strange !== undefined) refuse(`a spec has the key ${quoted(strange)}`);
    const listOf = (tree: Tree | undefined): readonly Spec[] => this.list(listIn(part, tree), within);
    const rows = listIn(part, valueAt(item, ['matrix'])).map((row) => listOf(row.item));
    const excluded = listOf(valueAt(item, ['exclude']));
    const all = this.product(rows, part.doc.place(item.at));
    return all.filter((spec) => !excluded.some((one) => satisfies(spec, one)));
  }

  /** The last row varies first. */
  private product(rows: readonly (readonly Spec[])[], place: SourceLocation): readonly Spec[] {
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
    return all;
  }

  private read(text: string): Spec {
    this.made += 1;
    if (this.made > MOST_SPECS) refuse(`lists make more than ${MOST_SPECS} specs`);
    const spec = parseSpec(text);
    return isUnderstood(spec) ? spec : refuse(`the spec ${quoted(text)} is not understood: ${spec.why}`);
  }
}
