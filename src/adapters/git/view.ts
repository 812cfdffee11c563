import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FoundRepository } from './find.js';
import { GitStopped, runGit } from './run.js';

/** Settings of a repository that say how its objects and files are to be read. None of them names a program or a path. */
const TAKEN =
  '^(core\\.(autocrlf|eol|filemode|symlinks|ignorecase|precomposeunicode)|extensions\\.(objectformat|refstorage))$';

/** Left out of a view: settings, hooks, other repositories, and the folder that it makes itself. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['config', 'config.worktree', 'hooks', 'modules', 'worktrees', 'commondir', 'gitdir', 'info', 'HEAD'],
]);
/** Files of `info/` that a view keeps: not `attributes`, which name filters, and not `grafts`, which name other parents. */
const INFO = ['exclude', 'sparse-checkout'];

/** Makes a repository of our own over the objects and references of another, without its settings: filters, hooks, helpers and
 * programs that diff or sign are named there, and git runs them. Returns its folder, which the caller removes. */
export async function makeView({ folder, common }: FoundRepository): Promise<string> {
  const view = await mkdtemp(join(tmpdir(), 'slipway-git-'));
  try {
    const [shared, own] = await Promise.all([readdir(common), readdir(folder)]);
    const places = new Map(shared.map((name) => [name, common]));
    for (const name of own) places.set(name, folder);
    if (common !== folder) places.set('refs', common);
    // Git refuses a HEAD that is a link.
    await copyFile(join(folder, 'HEAD'), join(view, 'HEAD'));
    for (const [name, place] of places)
      if (!LEFT_OUT.has(name) && !name.endsWith('.lock')) await symlink(join(place, name), join(view, name));
    await mkdir(join(view, 'info'));
    for (const name of INFO)
      if (shared.includes('info')) await symlink(join(common, 'info', name), join(view, 'info', name));
    await writeFile(join(view, 'config'), await settingsOf(common));
    return view;
  } catch (error) {
    await rm(view, { recursive: true, force: true });
    throw error;
  }
}

async function settingsOf(common: string): Promise<string> {
  const file = ['config', '--file', join(common, 'config'), '--no-includes', '-z', '--get-regexp', TAKEN];
  const said = await runGit(file).catch((error: unknown) => {
    if (error instanceof GitStopped) throw error;
    return ''; // none of them is set
  });
  const taken = said.split('\0').flatMap((line) => {
    const [key, value = 'true'] = line.split('\n');
    const [, section, name] = /^(\w+)\.(\w+)$/.exec(key ?? '') ?? [];
    return section === undefined || !/^[\w-]*$/.test(value) ? [] : [`[${section}]\n\t${name} = ${value}\n`];
  });
  const version = taken.some((text) => text.startsWith('[extensions]')) ? 1 : 0;
  return `[core]\n\trepositoryformatversion = ${version}\n\tbare = false\n${taken.join('')}`;
}
