import { problem } from '../../model/problem.js';
import type { BrokenFile } from '../../model/checkout.js';

/** Problems that keep init from writing a release file, one function per code. */
export const problems = {
  notGit: problem.config((folder: string) => [
    'INIT_NOT_GIT',
    `${folder} is in no git repository, and a release is built from a commit`,
    "Type `git init && git add --all && git commit -m 'first'` there, then `slipway init` again.",
  ]),
  noCommit: problem.config((folder: string) => [
    'INIT_NO_COMMIT',
    `the repository of ${folder} has no commit, and a release is built from a commit`,
    "Type `git add --all && git commit -m 'first'`, then `slipway init` again.",
  ]),
  nothing: problem.config((folder: string, seen: readonly string[]) => [
    'INIT_NOTHING_FOUND',
    `the commit of ${folder} holds ${seen.length > 0 ? `${seen.join(', ')}, but none of what init writes a release from` : 'no project'}: pyproject.toml, setup.py, setup.cfg, pom.xml, Dockerfile`,
    'Commit its files, or type `slipway init FOLDER` with the folder of a project; a release of other things is written by hand with `steps:` (docs/own-project.md).',
  ]),
  several: problem.config((projects: readonly { readonly where: string; readonly version: string | null }[]) => [
    'INIT_SEVERAL_PROJECTS',
    `the checkout holds ${projects.length} projects of different versions: ${projects
      .slice(0, 6)
      .map(({ where, version }) => `${where} (${version ?? 'version unknown'})`)
      .join(', ')}${projects.length > 6 ? ' …' : ''}`,
    `One release has one version. Type \`slipway init ${projects[0]!.where}\`, and the same for each other project.`,
  ]),
  broken: problem.config(({ path, line, column, why }: BrokenFile) => [
    'INIT_FILE_BROKEN',
    `this is not TOML: ${why}`,
    'Correct the file, then type `slipway init` again.',
    { place: { file: path, line, column } },
  ]),
};
