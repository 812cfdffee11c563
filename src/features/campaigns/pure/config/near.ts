import { some } from '../../../../importers/file-problem.js';
import { isDict, type Tree } from '../../../../importers/pyyaml/tree.js';
import { typeOf } from '../../../../importers/pyyaml/words.js';
import type { Problem, SourceLocation } from '../../../../model/failure.js';
import { closest } from '../../../../model/suggest.js';
import { follow, type Followed, isNull, leavesOf } from './document.js';
import { problems } from './errors.js';
import { isPath, type Path, pathText, readPath } from './path.js';

const MOST_PATHS = 6;

/** Returns the value that a path names in a document, or the problem of the path at a place.
 * @param except key of the top whose paths are not near: the presets */
export function seek(
  tree: Tree,
  text: string,
  place?: SourceLocation,
  except?: string,
  maySearch: () => boolean = () => true,
): Followed | Problem {
  const path = readPath(text);
  if (!isPath(path)) return problems.path(place, text, path);
  const found = follow(tree, path);
  if (found.left === 0) return found;
  const near = maySearch() ? nearPaths(tree, path, found, except) : [];
  return problems.unknownKey(place, text, whyAbsent(path, found), some(near));
}

function whyAbsent(path: Path, { value, left }: Followed): string {
  const [key, name] = [path.at(-left)!, left === path.length ? 'the top' : pathText(path.slice(0, -left))];
  if (value.kind === 'scalar') return `${name} is ${isNull(value) ? 'null' : typeOf(value)}`;
  if (value.kind === 'dict') return typeof key === 'number' ? `${name} is a map` : `${name} has no key "${key}"`;
  return typeof key === 'number' ? `${name} has ${value.items.length} items` : `${name} is a list; write [0]`;
}

/** Returns a path with a similar key, else paths that end with the same key, else the keys that are there. */
function nearPaths(tree: Tree, path: Path, { value, left }: Followed, except?: string): readonly string[] {
  const known = path.slice(0, -left);
  const [key, ...rest] = path.slice(-left);
  if (typeof key !== 'string') return [];
  const beside = isDict(value) ? [...value.keys.keys()].filter((one) => one !== except) : [];
  const meant = closest(key, beside);
  if (meant !== null) return [pathText([...known, meant, ...rest])];
  const same = leavesOf(tree).flatMap(({ path: leaf }) => {
    const end = leaf.lastIndexOf(path.at(-1)!);
    return end < 0 || leaf[0] === except ? [] : [pathText(leaf.slice(0, end + 1))];
  });
  if (same.length > 0) return [...new Set(same)].slice(0, MOST_PATHS);
  return beside.map((one) => pathText([...known, one]));
}
