import { some } from '../../../../importers/file-problem.js';
import { isDict, type Tree } from '../../../../importers/pyyaml/tree.js';
import { typeOf } from '../../../../importers/pyyaml/words.js';
import type { Problem, SourceLocation } from '../../../../model/failure.js';
import { closest } from '../../../../model/suggest.js';
import { eachLeaf, type Found, find, isFound, type Missing } from './document.js';
import { problems } from './errors.js';
import { isPath, type Path, pathText, readPath } from './path.js';

/** Makes the problem of a path, for the place that names it. */
export type Fault = (place?: SourceLocation) => Problem;

/** Returns the value that a path names in a document, or the problem of the path.
 * @param except key of the top whose paths nobody means: the presets */
export function seek(tree: Tree, text: string, except?: string): Found | Fault {
  const path = readPath(text);
  if (!isPath(path)) return (place) => problems.path(place, text, path);
  const found = find(tree, path);
  if (isFound(found)) return found;
  return (place) => problems.unknownKey(place, text, whyAt(path, found), some(nearPaths(tree, path, found, except)));
}

function whyAt(path: Path, { known, in: within }: Missing): string {
  const [key, name] = [path[known]!, known === 0 ? 'the top' : pathText(path.slice(0, known))];
  if (within.kind === 'scalar') return `${name} is ${within.type === 'null' ? 'null' : typeOf(within)}`;
  if (within.kind === 'dict') return typeof key === 'number' ? `${name} is a map` : `${name} has no key "${key}"`;
  return typeof key === 'number' ? `${name} has ${within.items.length} items` : `${name} is a list; write [0]`;
}

/** Maps with more keys are searched for equal names alone. */
const MOST_KEYS = 2_000;

/** A path with a similar key, else paths that end with the same key, else the keys that are there. */
function nearPaths(tree: Tree, path: Path, { known, in: within }: Missing, except?: string): readonly string[] {
  const key = path[known];
  const beside = isDict(within) ? [...within.keys.keys()].slice(0, MOST_KEYS).filter((one) => one !== except) : [];
  if (typeof key !== 'string') return [];
  const meant = closest(key, beside);
  if (meant !== null) return [pathText([...path.slice(0, known), meant, ...path.slice(known + 1)])];
  const same = new Set<string>();
  eachLeaf(tree, [], (leaf) => {
    const at = leaf.lastIndexOf(path.at(-1)!);
    if (at >= 0 && same.size < 6 && leaf[0] !== except) same.add(pathText(leaf.slice(0, at + 1)));
  });
  return same.size > 0 ? [...same] : beside.map((one) => pathText([...path.slice(0, known), one]));
}
