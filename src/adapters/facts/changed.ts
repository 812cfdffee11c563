import type { ChangedAsk, Changes } from '../../importers/index.js';
import { fail } from '../../model/failure.js';
import { compileGlob } from '../../model/schema/path-glob.js';
import { nearestTo } from '../../plan/changed/unchanged.js';
import type { Spot } from '../../plan/errors.js';
import type { Repository } from '../git/index.js';
import { problems } from './errors.js';
import { commitOf } from './git.js';

/** Returns what changed in a source's folder. Throws SINCE_… if that cannot be said.
 * @param top `COMMIT:` or `COMMIT:folder/` @param spot of the source in the release file */
export async function changesIn(
  repository: Repository,
  top: string,
  { since, globs, rules = [] }: ChangedAsk,
  spot: Spot,
): Promise<Changes> {
  const [commit = '', folder = ''] = top.split(/:(.*)/s);
  const base = since === null ? null : await baseOf(repository, since, commit, spot);
  const pathsOf = async (...asked: readonly string[]): Promise<readonly string[]> =>
    (await repository.ask(...asked).catch(unread(spot))).split('\0').filter(Boolean);
  const [files, changed, named] = await Promise.all([
    globs.length === 0 ? [] : pathsOf('ls-tree', '-r', '-z', '--name-only', top),
    base === null ? [] : pathsOf('diff-tree', ...DIFF, `--relative=${folder}`, base, commit),
    rules.length === 0 ? [] : pathsOf('ls-tree', '-z', top, '--', ...rules),
  ]);
  const all = new Set([...files, ...changed]);
  const pick = base === null ? ([first]: Iterable<string>) => (first ? [first] : []) : nearestTo(changed);
  const near = Object.fromEntries(globs.map((glob) => [glob, pick(matching(glob, all))]));
  const links = named.flatMap((line) => (line.startsWith(LINK) ? [line.split('\t', 2)[1]!] : []));
  return { base, paths: changed.toSorted(), near, ...(links.length > 0 && { links }) };
}

/** Mode of a link, in lists of git. */
const LINK = '120000 ';
/** A renamed file counts under both names. */
const DIFF = ['-r', '-z', '--name-only', '--no-renames', '--no-ext-diff'];

async function baseOf(repository: Repository, since: string, commit: string, spot: Spot): Promise<string> {
  const other = await commitOf(repository, since).catch(() => null);
  const isShallow = (await repository.ask('rev-parse', '--is-shallow-repository')).trim() === 'true';
  if (other === null) throw fail(problems.sinceUnknown(spot, since, isShallow));
  const base = await repository.ask('merge-base', other, commit).catch(unread(spot, 1));
  if (base === '') throw fail(problems.noMergeBase(spot, since, commit, isShallow));
  return base.trim();
}

/** @param none exit status of an empty answer */
const unread =
  (spot: Spot, none?: number) => (error: Error & { readonly code?: unknown; readonly stderr?: string }) => {
    if (none !== undefined && error.code === none) return '';
    throw fail(problems.pathsUnread(spot, error.stderr?.trim() || error.message, error.message.includes('maxBuffer')));
  };

/** Yields the files that a glob matches. The text before its first wildcard is compared first, since that is fast. */
function* matching(glob: string, files: Iterable<string>): Iterable<string> {
  const expression = compileGlob(glob);
  const begin = /^[^*?]*/.exec(glob)![0];
  for (const file of files) if (file.startsWith(begin) && expression.test(file)) yield file;
}
