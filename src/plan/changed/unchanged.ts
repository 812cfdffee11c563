import type { Changes } from '../../importers/asks.js';
import { compileGlob } from '../../model/schema/path-glob.js';
import type { When } from './whens.js';

/** How each reason of `when: { changed }` begins. */
export const UNCHANGED = 'no change since ';

/** Why a condition leaves an entry out. Null: a changed path counts. */
export function whyUnchanged({ changed }: When, since: string, { paths, near }: Changes): string | null {
  const expressions = changed.map(compileGlob);
  if (paths.some((path) => expressions.some((one) => one.test(path)))) return null;
  const files = [...new Set(changed.flatMap((glob) => near[glob]!))].sort(byNearness(paths));
  return `${UNCHANGED}${since} touches ${some(changed)} (paths changed: ${paths.length}); ${files.slice(0, MOST_NAMED).join(', ')} would have counted`;
}

/** Globs, or files of a glob, that a reason names. */
export const MOST_NAMED = 3;
const some = (globs: readonly string[]): string =>
  `${globs.slice(0, MOST_NAMED).join(', ')}${globs.length > MOST_NAMED ? ` or ${globs.length - MOST_NAMED} more` : ''}`;

/** Returns a compare function: files come first that share the most folders with a path, then those of fewer folders. */
export function byNearness(paths: readonly string[]): (a: string, b: string) => number {
  const near = new Set(paths.flatMap(foldersOf));
  const shared = (file: string): number => foldersOf(file).filter((folder) => near.has(folder)).length;
  return (a, b) => shared(b) - shared(a) || foldersOf(a).length - foldersOf(b).length || (a < b ? -1 : 1);
}

/** `a/b/c` is in `a/` and `a/b/`. */
const foldersOf = (path: string): readonly string[] =>
  [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1));
