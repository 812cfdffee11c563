import type { Complain } from '../../../importers/file-problem.js';
import { type Dict, isDict, textAt, type Tree, valueAt } from '../../../importers/pyyaml/tree.js';
import { problems } from './errors.js';
import { isTold, type Part } from './include.js';
import { refuse } from './refusal.js';
import { isSet, itemsOf, sectionIn, wordOf } from './sections.js';
import type { Host } from './when-words.js';

/** An item of a list of specs, and the file that has it. */
export interface Item {
  readonly item: Tree;
  readonly part: Part;
}
/** Items of lists by name. */
export type Definitions = ReadonlyMap<string, readonly Item[]>;

/** Items of a list of specs. Refuses all else. */
export const listIn = (part: Part, tree: Tree | undefined): readonly Item[] =>
  tree === undefined || tree.kind === 'list'
    ? itemsOf(tree).map((item) => ({ item, part }))
    : refuse('a list of specs is no list');

/** Names of lists with their items and conditions, as a file has them. */
const definitionsOf = (top: Dict): readonly (readonly [string, Tree, Tree | undefined])[] =>
  itemsOf(sectionIn(top, 'definitions'))
    .filter(isDict)
    .flatMap(({ keys }) =>
      [...keys].flatMap(([name, { value }]) =>
        name === 'when' ? [] : [[name, value, keys.get('when')?.value] as const],
      ),
    );

/** Lists of one name are one list. */
export function definitionsIn(parts: readonly Part[], host: Host, complain: Complain): Definitions {
  const all = new Map<string, readonly Item[]>();
  for (const part of parts)
    for (const [name, tree, when] of definitionsOf(part.top)) {
      const items = isTold(when, host, part.doc, complain) ? listIn(part, tree) : [];
      all.set(name, [...(all.get(name) ?? []), ...items]);
    }
  return all;
}

/** A list of `definitions` whose specs are built before all others. */
export interface Bootstrap {
  readonly name: string;
  /** True: whatever compiler is there builds them. */
  readonly isAgnostic: boolean;
}

/** Reads `bootstrap` of `ci` or `gitlab-ci`. Complains of lists that are not there. */
export function readBootstrap(parts: readonly Part[], complain: Complain): readonly Bootstrap[] {
  const names = new Set(parts.flatMap(({ top }) => definitionsOf(top).map(([name]) => name)));
  return parts.flatMap(({ doc, top }) =>
    ['ci', 'gitlab-ci'].flatMap((key) =>
      itemsOf(valueAt(top, [key, 'bootstrap'])).flatMap((item) => {
        const name = wordOf(item) ?? textAt(item, 'name');
        if (name !== undefined && names.has(name)) return [{ name, isAgnostic: isSet(item, 'compiler-agnostic') }];
        complain(problems.bootstrapUndefined(doc.place(item.at), name));
        return [];
      }),
    ),
  );
}
