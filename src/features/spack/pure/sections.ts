import { type Dict, type Tree, valueAt } from '../../../importers/pyyaml/tree.js';

/** Value of a section. `packages::` replaces the defaults of Spack; its YAML key is `packages:`. */
export const sectionIn = ({ keys }: Dict, name: string): Tree | undefined =>
  (keys.get(name) ?? keys.get(`${name}:`))?.value;

/** Items of a list. Empty for all else. */
export const itemsOf = (tree: Tree | undefined): readonly Tree[] => (tree?.kind === 'list' ? tree.items : []);

/** Text of a single value, also of a number. Undefined for a list and a map. */
export const wordOf = (tree: Tree | undefined): string | undefined => (tree?.kind === 'scalar' ? tree.text : undefined);

export function isSet(tree: Tree, key: string): boolean {
  const found = valueAt(tree, [key]);
  return found?.kind === 'scalar' && found.value === true;
}
