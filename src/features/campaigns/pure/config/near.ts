import { isDict, type Tree } from '../../../../importers/pyyaml/tree.js';
import { typeOf } from '../../../../importers/pyyaml/words.js';
import { some } from '../../../../importers/file-problem.js';
import { closest } from '../../../../model/suggest.js';
import { eachLeaf, type Missing } from './document.js';
import { type Path, pathText } from './path.js';

/** Maps with more keys are searched for equal names alone. */
const MOST_KEYS = 2_000;

/** Why a path leads nowhere, and the sentence that names near paths; empty without one.
 * @param except a subtree whose paths nobody means: the presets */
export function whyMissing(
  tree: Tree,
  path: Path,
  missing: Missing,
  except: Path = [],
): readonly [why: string, near: string] {
  const top = path.slice(0, missing.known);
  const key = path[missing.known]!;
  const near = nearPaths(tree, path, missing).filter((one) => except.length === 0 || !one.startsWith(pathText(except)));
  return [whyAt(top, key, missing.in), near.length === 0 ? '' : `Near: ${some(near)}. `];
}

function whyAt(top: Path, key: string | number, within: Tree): string {
  const name = top.length === 0 ? 'the top' : pathText(top);
  if (within.kind === 'scalar') return `${name} is ${within.type === 'null' ? 'null' : typeOf(within)}`;
  if (within.kind === 'list')
    return typeof key === 'number' ? `${name} has ${within.items.length} items` : `${name} is a list; write [0]`;
  return typeof key === 'number' ? `${name} is a map` : `${name} has no key ${JSON.stringify(key)}`;
}

function nearPaths(tree: Tree, path: Path, { known, in: within }: Missing): readonly string[] {
  const key = path[known];
  if (typeof key !== 'string') return [];
  const meant = isDict(within) && within.keys.size <= MOST_KEYS ? closest(key, within.keys.keys()) : null;
  if (meant !== null) return [pathText([...path.slice(0, known), meant, ...path.slice(known + 1)])];
  const last = path.at(-1);
  const same = new Set<string>();
  eachLeaf(tree, [], (leaf) => {
    const at = leaf.lastIndexOf(last!);
    if (at >= 0 && same.size < 6) same.add(pathText(leaf.slice(0, at + 1)));
  });
  if (same.size > 0 || !isDict(within)) return [...same];
  return [...within.keys.keys()].slice(0, 6).map((name) => pathText([...path.slice(0, known), name]));
}
