import type { Changes } from '../../importers/asks.js';
import { compileGlob } from '../../model/schema/path-glob.js';
import type { When } from './whens.js';

/** How each reason of `when: { changed }` begins. */
export const UNCHANGED = 'no change since ';

/** Why a condition leaves an entry out. Null: a changed path counts. */
export function whyUnchanged({ changed }: When, since: string, { paths, near }: Changes): string | null {
  const expressions = changed.map(compileGlob);
  if (paths.some((path) => expressions.some((one) => one.test(path)))) return null;
  const files = nearestTo(paths)(new Set(changed.flatMap((glob) => near[glob]!)));
  return `${UNCHANGED}${since} touches ${some(changed)} (paths changed: ${paths.length}); ${files.join(', ')} would have counted`;
}

/** Globs, or files of a glob, that a reason names. */
const MOST_NAMED = 3;
const some = (globs: readonly string[]): string =>
  `${globs.slice(0, MOST_NAMED).join(', ')}${globs.length > MOST_NAMED ? ` or ${globs.length - MOST_NAMED} more` : ''}`;

/** Returns what finds the nearest of files, at most three: those that share the most folders with a path, then those of fewer
 * folders. */
export function nearestTo(paths: readonly string[]): (files: Iterable<string>) => readonly string[] {
  const near = new Set(paths.flatMap(foldersOf));
  return (files) => {
    const best: { readonly file: string; readonly far: number; readonly depth: number }[] = [];
    for (const file of files) {
      const folders = foldersOf(file);
      best.push({ file, far: -folders.filter((folder) => near.has(folder)).length, depth: folders.length });
      best.sort((a, b) => a.far - b.far || a.depth - b.depth || (a.file < b.file ? -1 : 1)).splice(MOST_NAMED);
    }
    return best.map(({ file }) => file);
  };
}

/** `a/b/c` is in `a/` and `a/b/`. */
const foldersOf = (path: string): readonly string[] =>
  [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1));
