import { SlipwayFailure, type Problem } from '../model/failure.js';
import { compileExpression } from '../model/schema/expression.js';
import { problems, type Path } from './errors.js';
import type { Facts } from './facts.js';
import { isNamed } from '../model/schema/globs.js';
import type { ReadFile } from './read/release-file.js';

type Release = NonNullable<ReadFile['content']['release']>;

/** Returns the release's version, as written or read from the commit. */
export function versionOf({ version }: Release, file: ReadFile, facts: Pick<Facts, 'git'>, found: Problem[]): string {
  if (typeof version === 'string') return version;
  const at = (path: Path) => file.at(['release', 'version', ...path]);
  if (!facts.git) {
    found.push(problems.versionAbsent(at([]), version.file, 'the source is an sdist, not a commit'));
    return '0';
  }
  const text = facts.git.files[version.file];
  if (text === null || text === undefined) {
    found.push(
      problems.versionAbsent(at(['file']), version.file, `commit ${facts.git.commit.slice(0, 12)} has no such file`),
    );
    return '0';
  }
  return (
    firstGroup(text, version.match, (why) => found.push(problems.versionAbsent(at(['match']), version.file, why))) ??
    '0'
  );
}

function firstGroup(text: string, pattern: string, complain: (why: string) => void): string | null {
  const group = groupIn(text, pattern, complain);
  if (group === undefined) return null;
  if (group === null) complain(`nothing matches ${JSON.stringify(pattern)} with a group`);
  else if (!/^[A-Za-z0-9][A-Za-z0-9._+-]*$/.test(group)) complain(`${JSON.stringify(group)} is not a version`);
  else return group;
  return null;
}

/** Returns the first group of the first match, null without one. Undefined after complaining about an unusable
 * expression. */
function groupIn(text: string, pattern: string, complain: (why: string) => void): string | null | undefined {
  try {
    return compileExpression(pattern, { lines: true }).match(text)?.[1] ?? null;
  } catch (error) {
    if (!(error instanceof SlipwayFailure)) throw error;
    complain(error.first.message);
    return undefined;
  }
}

/** Checks that the commit is on an allowed branch and not from a pull request, whose author may not publish. */
export function checkBranch(file: ReadFile, facts: Facts, found: Problem[]): void {
  if (!facts.profile.content.rehearsal && isPull(file, facts))
    found.push(problems.pullRequest(file.at(['source']), facts.profile.name));
  const allowed = file.content.release?.branches;
  if (!allowed || !facts.git) return;
  const { branch } = facts.git;
  if (branch !== null && isNamed(branch, allowed)) return;
  found.push(problems.branch(file.at(['release', 'branches']), branch, allowed));
}

/** Whether the commit is a pull request: by `--pull`, or by the refs of CI systems (`pull/77/merge`,
 * `refs/merge-requests/7/head`). */
function isPull({ content }: ReadFile, { git, given }: Facts): boolean {
  const { source } = content;
  const commit = source !== undefined && 'commit' in source ? source.commit : '';
  const names = [commit, git?.branch ?? ''];
  return given?.pull !== undefined || names.some((name) => PULL.test(name));
}
const PULL = /^(refs\/)?(remotes\/)?((pull|pull-requests|merge-requests|pr)\/)?\d+\/(merge|head)$/;
