import { SlipwayFailure, type Problem } from '../model/failure.js';
import { normalForm, parseVersion, sameVersion } from '../model/python/version.js';
import { compileExpression } from '../model/schema/expression.js';
import { Version } from '../model/schema/scalars.js';
import { problems, type Path } from './errors.js';
import type { Facts } from './facts.js';
import { isNamed } from '../model/schema/globs.js';
import type { ReadFile } from './read/release-file.js';
import { problems as snapshots } from './snapshot/errors.js';

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

/** Returns the first group of the first match. Null after complaining about its absence, or about an unusable expression. */
function firstGroup(text: string, pattern: string, complain: (why: string) => void): string | null {
  try {
    const group = compileExpression(pattern, { lines: true }).match(text)?.[1] ?? null;
    if (group === null) complain(`nothing matches ${JSON.stringify(pattern)} with a group`);
    else if (!/^[A-Za-z0-9][A-Za-z0-9._+-]*$/.test(group)) complain(`${JSON.stringify(group)} is not a version`);
    else return group;
  } catch (error) {
    if (!(error instanceof SlipwayFailure)) throw error;
    complain(error.first.message);
  }
  return null;
}

/** Returns the version of a commit's snapshot: `1.4.2-snapshot.37.gabcdef0`. Maven and SemVer order it by its count, below 1.4.2.
 * Returns the version of the file if no snapshot is asked for. */
export function snapshotOf(said: string, file: ReadFile, { git, given }: Facts, found: Problem[]): string {
  if (given?.snapshot !== true) return said;
  if (git?.history === undefined) {
    found.push(snapshots.withoutCommit(file.at(['source'])));
    return said;
  }
  const before = `${file.content.release!.name}-`;
  const out = git.history.git?.tags.map((tag) => (tag.startsWith(before) ? tag.slice(before.length) : tag)) ?? [];
  let coming = said.replace(/(-SNAPSHOT|[-_.]?dev[-_.]?\d*)?(\+.*)?$/i, '');
  // The snapshot of a released version is one of the next version.
  while (out.some((tag) => sameVersion(tag.replace(/^v/, ''), coming)))
    coming = coming.replace(/\d+(?=\D*$)|$/, (last) => String(BigInt(last) + 1n));
  const version = `${coming}-snapshot.${git.history.count}.g${git.commit.slice(0, 7)}`;
  if (!Version.safeParse(version).success)
    found.push(snapshots.invalid(file.at(['release', 'version']), said, version));
  return version;
}

/** Returns a snapshot as PEP 440 spells it: `1.4.2.dev37`. An index takes no commit in it. Null: PEP 440 has none. */
export function snapshotForPython(version: string): string | null {
  const [, coming = '', count = ''] = /^(.+)-snapshot\.(\d+)\.g\w+$/.exec(version) ?? [];
  const parsed = parseVersion(coming);
  return parsed && normalForm({ ...parsed, dev: count });
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
