import { mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Bind, BUILD_ROOT } from '../../model/build-root.js';
import { KINDS, type KindName } from '../../model/kinds.js';
import type { Command } from '../ports.js';

/** Paths at which the programs of a step see its folders. */
export interface BuildPaths {
  /** Empty if programs see the folders at their own paths. */
  readonly binds: readonly Bind[];
  /** Replaces the folders' paths in a text by the paths that programs see. */
  inside(text: string): string;
}

export const OWN_PATHS: BuildPaths = { binds: [], inside: (text) => text };

/** @param folder the step's own folder, inside the folder of its attempt
 * @param cache shared caches: compilers record paths of headers in them */
export function buildPaths(kind: KindName, folder: string, cache: string, binds: boolean): BuildPaths {
  if (!binds || KINDS[kind].runs !== 'compiler') return OWN_PATHS;
  const all = [
    { folder: dirname(folder), name: BUILD_ROOT },
    { folder: cache, name: join(BUILD_ROOT, 'cache') },
  ];
  return {
    binds: all,
    inside: (text) => all.reduce((changed, bind) => renamed(changed, bind), text),
  };
}

/** Replaces whole paths only: `folder` in `folder-2` stays. */
function renamed(text: string, { folder, name }: Bind): string {
  const parts = text.split(folder);
  return parts.reduce((before, after) => before + (/^[\w.-]/.test(after) ? folder : name) + after);
}

export function atBuildRoot(command: Command, { binds, inside }: BuildPaths): Command {
  if (binds.length === 0) return command;
  const { argv } = command;
  return {
    ...command,
    argv: typeof argv === 'string' ? inside(argv) : argv.map(inside),
    cwd: inside(command.cwd),
    env: envInside(command.env, inside),
  };
}

export const envInside = (
  env: Readonly<Record<string, string>>,
  inside: BuildPaths['inside'],
): Record<string, string> => Object.fromEntries(Object.entries(env).map(([name, value]) => [name, inside(value)]));

/** Creates a mount point below a mounted folder: an engine would create it as root. */
export function makeMountPoint(path: string, { binds }: BuildPaths): void {
  const [workspace] = binds;
  if (workspace && path.startsWith(`${workspace.name}/`))
    mkdirSync(join(workspace.folder, relative(workspace.name, path)), { recursive: true });
}
