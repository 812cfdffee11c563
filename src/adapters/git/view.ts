import { copyFile, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundRepository } from './find.js';
import { GitStopped, runGit } from './run.js';
import { type TemporaryFolder, temporaryFolder } from '../temporary-folder.js';

/** Settings that affect how objects and files are read. None of them names a program or a path. */
const TAKEN =
  '^(core\\.(autocrlf|eol|filemode|symlinks|ignorecase|precomposeunicode)|extensions\\.(objectformat|refstorage))$';

/** Parts of a git directory that a view omits or creates itself. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['config', 'config.worktree', 'hooks', 'modules', 'worktrees', 'commondir', 'gitdir', 'info', 'HEAD'],
]);
/** Files of `info/` that a view links. `attributes` may name filters, and `grafts` may name other parents. */
const INFO = ['exclude', 'sparse-checkout'];

/** Creates a scratch repository over the objects and references of another one, without its settings. Those could
 * name filters, hooks, helpers, and programs that diff or sign, and git would run them. */
export async function makeView({ folder, common }: FoundRepository): Promise<TemporaryFolder> {
  const made = await temporaryFolder('git');
  const view = made.path;
  try {
    const [shared, own] = await Promise.all([readdir(common), readdir(folder)]);
    const places = new Map(shared.map((name) => [name, common]));
    for (const name of own) places.set(name, folder);
    if (common !== folder) places.set('refs', common);
    // Git refuses a HEAD that is a symbolic link.
    await copyFile(join(folder, 'HEAD'), join(view, 'HEAD'));
    for (const [name, place] of places)
      if (!LEFT_OUT.has(name) && !name.endsWith('.lock')) await symlink(join(place, name), join(view, name));
    await mkdir(join(view, 'info'));
    for (const name of INFO)
      if (shared.includes('info')) await symlink(join(common, 'info', name), join(view, 'info', name));
    await writeFile(join(view, 'config'), await settingsOf(common));
    return made;
  } catch (error) {
    await made[Symbol.asyncDispose]();
    throw error;
  }
}

async function settingsOf(common: string): Promise<string> {
  const file = ['config', '--file', join(common, 'config'), '--no-includes', '-z', '--get-regexp', TAKEN];
  const said = await runGit(file).catch((error: unknown) => {
    if (error instanceof GitStopped) throw error;
    return ''; // no matching setting
  });
  const taken = said.split('\0').flatMap((line) => {
    const [key, value = 'true'] = line.split('\n');
    const [, section, name] = /^(\w+)\.(\w+)$/.exec(key ?? '') ?? [];
    return section === undefined || !/^[\w-]*$/.test(value) ? [] : [`[${section}]\n\t${name} = ${value}\n`];
  });
  const version = taken.some((text) => text.startsWith('[extensions]')) ? 1 : 0;
  return `[core]\n\trepositoryformatversion = ${version}\n\tbare = false\n${taken.join('')}`;
}
