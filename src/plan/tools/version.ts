import { Version } from '../../model/schema/scalars.js';
import type { FetchedTool } from '../../model/schema/sections/tools.js';
import type { Context } from '../context.js';
import type { Path } from '../errors.js';
import { problems } from './errors.js';

/** Returns the version of a tool, as written or as the only line of a file of the commit. Complains about any other file, and
 * returns `0`. */
export function versionOf({ version }: FetchedTool, path: Path, { facts: { git }, ...context }: Context): string {
  if (typeof version === 'string') return version;
  const { file } = version;
  const unreadable = (why: string): string => {
    context.complain(problems.versionUnreadable(context.at([...path, 'version', 'file']), file, why));
    return '0';
  };
  if (git === null) return unreadable('the source is an sdist, not a commit');
  const text = git.files[file];
  if (typeof text !== 'string') return unreadable(`commit ${git.commit.slice(0, 12)} has no such file`);
  const [line = '', ...more] = text.replace(/\r?\n$/, '').split('\n');
  if (more.length > 0) return unreadable(`it has ${more.length + 1} lines`);
  return Version.safeParse(line).success ? line : unreadable(`${JSON.stringify(line.slice(0, 80))} is no version`);
}
