import type { ChangedAsk, Changes } from '../../importers/index.js';
import { fail } from '../../model/failure.js';
import { compileGlob } from '../../model/schema/path-glob.js';
import { byNearness, MOST_NAMED } from '../../plan/changed/unchanged.js';
import type { Spot } from '../../plan/errors.js';
import type { Repository } from '../git/index.js';
import { problems } from './errors.js';
import { commitOf } from './git.js';

/** Returns what changed in a source's folder. Throws SINCE_… if that cannot be said.
 * @param top `COMMIT:` or `COMMIT:folder/` @param spot of the source in the release file */
export async function changesIn(
  repository: Repository,
  top: string,
  { since, globs }: ChangedAsk,
  spot: Spot,
): Promise<Changes> {
  const [commit = '', folder = ''] = top.split(/:(.*)/s);
  const tree = globs.length === 0 ? '' : repository.ask('ls-tree', '-r', '-z', '--name-only', top);
  const base = since === null ? null : baseOf(repository, since, commit, spot);
  const paths = base && pathsBetween(repository, await base, commit, folder);
  const [files, known, changed] = await Promise.all([tree, base, paths]);
  const all = [...new Set([...namesIn(files), ...(changed ?? [])])];
  const order = byNearness(changed ?? []);
  const named = globs.map((glob) => [glob, near(glob, all, order)]);
  return { base: known, paths: changed ?? [], near: Object.fromEntries(named) };
}

async function baseOf(repository: Repository, since: string, commit: string, spot: Spot): Promise<string> {
  const other = await commitOf(repository, since).catch(() => null);
  const isShallow = (await repository.ask('rev-parse', '--is-shallow-repository')).trim() === 'true';
  if (other === null) throw fail(problems.sinceUnknown(spot, since, isShallow));
  const base = (await repository.ask('merge-base', other, commit).catch(() => '')).trim();
  if (base === '') throw fail(problems.noMergeBase(spot, since, commit, isShallow));
  return base;
}

/** A renamed file counts under both names. */
async function pathsBetween(repository: Repository, base: string, commit: string, folder: string) {
  const options = ['-r', '-z', '--name-only', '--no-renames', '--no-ext-diff', `--relative=${folder}`];
  return namesIn(await repository.ask('diff-tree', ...options, base, commit)).toSorted();
}

const namesIn = (text: string): readonly string[] => text.split('\0').filter(Boolean);

/** Returns the nearest files that a glob matches. The text before its first wildcard is compared first, since that is fast. */
function near(glob: string, files: readonly string[], order: ReturnType<typeof byNearness>): readonly string[] {
  const expression = compileGlob(glob);
  const begin = /^[^*?]*/.exec(glob)![0];
  const matched = files.filter((file) => file.startsWith(begin) && expression.test(file));
  return matched.sort(order).slice(0, MOST_NAMED);
}
