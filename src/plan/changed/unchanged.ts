import type { Changes } from '../../importers/asks.js';
import { compileGlob } from '../../model/schema/path-glob.js';
import { placed } from '../../model/failure.js';
import type { Rules } from './rules.js';
import type { RuleTags, When } from './whens.js';

/** How each reason of `when: { changed }` begins. */
export const UNCHANGED = 'no change since ';

/** Why a condition leaves an entry out. Null: a changed path counts.
 * @param read rules files by path */
export function whyUnchanged(
  { changed }: When,
  since: string,
  { paths, near }: Changes,
  read: ReadonlyMap<string, Rules> = new Map(),
): string | null {
  if ('rules' in changed) return whyUntagged(changed, `${since} gives`, paths.length, read);
  const expressions = changed.map(compileGlob);
  if (paths.some((path) => expressions.some((one) => one.test(path)))) return null;
  const files = nearestTo(paths)(new Set(changed.flatMap((glob) => near[glob]!)));
  return `${UNCHANGED}${since} touches ${some(changed)} (paths changed: ${paths.length}); ${files.join(', ')} would have counted`;
}

function whyUntagged({ rules: files, tags }: RuleTags, since: string, count: number, read: ReadonlyMap<string, Rules>) {
  const rules = files.flatMap((file) => (read.has(file) ? [{ file, ...read.get(file)! }] : []));
  if (rules.some(({ given }) => tags.some((tag) => given.has(tag)))) return null;
  const places = rules.flatMap(({ file, lines }) => {
    const all = [...new Set(tags.flatMap((tag) => lines.get(tag) ?? []))].sort((a, b) => a - b);
    return all.map((line) => placed({ file, line }));
  });
  return `${UNCHANGED}${since} the tag ${some(tags)} (paths changed: ${count}); ${some(places, 'and')} would have`;
}

/** Globs, or files of a glob, that a reason names. */
const MOST_NAMED = 3;
const some = (all: readonly string[], word = 'or'): string =>
  `${all.slice(0, MOST_NAMED).join(', ')}${all.length > MOST_NAMED ? ` ${word} ${all.length - MOST_NAMED} more` : ''}`;

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
