import { mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Bind, BUILD_ROOT } from '../../model/build-root.js';
import type { KindName } from '../../model/kinds.js';
import type { Command } from '../ports.js';

/** Paths by which the programs of a step see its folders. */
export interface BuildPaths {
  /** Empty: under their own names. */
  readonly binds: readonly Bind[];
  /** A text with the folders' names as the programs see them. */
  inside(text: string): string;
}

/** Compilers write the folder of a build into what they make. */
const AT_BUILD_ROOT: ReadonlySet<KindName> = new Set([
  'buildSdist',
  'prepareSource',
  'buildWheel',
  'buildNative',
  'buildJar',
]);

/** Programs see folders under their own names. */
export const OWN_PATHS: BuildPaths = { binds: [], inside: (text) => text };

/** @param folder the step's own folder, inside the folder of its attempt
 * @param cache shared caches: compilers name headers that lie in them */
export function buildPaths(kind: KindName, folder: string, cache: string, binds: boolean): BuildPaths {
  if (!binds || !AT_BUILD_ROOT.has(kind)) return OWN_PATHS;
  const all = [
    { folder: dirname(folder), name: BUILD_ROOT },
    { folder: cache, name: join(BUILD_ROOT, 'cache') },
  ];
  return {
    binds: all,
    inside: (text) => all.reduce((changed, bind) => renamed(changed, bind), text),
  };
}

/** A name that only begins like the folder's stays. */
function renamed(text: string, { folder, name }: Bind): string {
  const parts = text.split(folder);
  return parts.reduce((before, after) => before + (/^[\w.-]/.test(after) ? folder : name) + after);
}

/** The same command as its program sees it. */
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

/** Mount points below a mounted folder are made by us: an engine would make them as root. */
export function makeMountPoint(path: string, { binds }: BuildPaths): void {
  const [workspace] = binds;
  if (workspace && path.startsWith(`${workspace.name}/`))
    mkdirSync(join(workspace.folder, relative(workspace.name, path)), { recursive: true });
}
