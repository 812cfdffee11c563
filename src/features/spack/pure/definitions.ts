import { isDict, type Tree, type Dict } from '../../../importers/pyyaml/tree.js';
import type { Complain } from '../../../importers/file-problem.js';
import { isTold, type Part } from './include.js';
import { refuse } from './refusal.js';
import { itemsOf, sectionIn } from './sections.js';
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
export const definitionsOf = (top: Dict): readonly (readonly [string, Tree, Tree | undefined])[] =>
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
