import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fail } from '../../model/failure.js';
import type { StepId } from '../../model/ids.js';
import { type Access, type Isolation, weakest } from '../../model/isolation.js';
import { KINDS, type KindName } from '../../model/kinds.js';
import type { Cell, Command } from '../ports.js';
import { hasTools, onPath, toolsIn } from '../tools/lay-tools.js';
import { sandboxAbsent } from './errors.js';
import type { Workspace } from './workspace.js';
import { type Bind, BUILD_ROOT } from '../../model/build-root.js';

export interface ConfineFacts {
  readonly step: { readonly id: StepId; readonly kind: KindName; readonly params: object };
  readonly workspace: Pick<Workspace, 'folder' | 'files' | 'home' | 'tmp'>;
  readonly cache: string;
  readonly paths: BuildPaths;
  /** `Programs.noSandbox`. */
  readonly noSandbox: string | null | undefined;
  readonly accepted: boolean;
  readonly worker: string;
  readonly reached: Reached;
}

export class Reached {
  readonly levels = new Set<Isolation>();
  offline = false;

  note(level: Isolation, network: boolean): void {
    this.levels.add(level);
    this.offline = !network;
  }

  /** The weakest level, for the record of a result. */
  weakest(): { readonly isolation?: Isolation } {
    const isolation = weakest(this.levels);
    return isolation === null ? {} : { isolation };
  }
}

/** Puts a command of a step into its sandbox.
 * @param folders further folders of the machine that it may write; missing ones are skipped */
export type Confine = (command: Command, access?: Access, folders?: readonly string[]) => Command;

/** Leaves Slipway's own programs unconfined in kinds that run no code of a project. The result throws SANDBOX_ABSENT if
 * there is no sandbox and the release file does not accept that. */
export function createConfine(facts: ConfineFacts): Confine {
  const { step, noSandbox, accepted, paths, reached } = facts;
  if (noSandbox === undefined) return (command) => command;
  const isOfProject = KINDS[step.kind].runs !== 'own';
  return (given, access = 'project', folders = []) => {
    if (!isOfProject && access !== 'line') return given;
    const command = { ...given, env: onPath(given.env, facts.workspace.folder, access) };
    if (noSandbox !== null && !accepted) throw fail(sandboxAbsent(facts.worker, noSandbox));
    reached.note(noSandbox === null ? 'sandbox' : 'none', noSandbox !== null || hasNetwork(facts, access));
    return noSandbox === null ? { ...atBuildRoot(command, paths), cell: cellOf(facts, access, folders) } : command;
  };
}

const hasNetwork = ({ step }: ConfineFacts, access: Access): boolean =>
  access !== 'project' || saysNetwork(step.params);

export const saysNetwork = (params: object): boolean => (params as { readonly network?: boolean }).network === true;

function cellOf(facts: ConfineFacts, access: Access, more: readonly string[]): Cell {
  const {
    cache,
    paths: { inside },
  } = facts;
  const { folder, files, home, tmp } = facts.workspace;
  mkdirSync(cache, { recursive: true });
  const shown = (path: string): { readonly folder: string; readonly name: string } => ({
    folder: path,
    name: inside(path),
  });
  return {
    network: hasNetwork(facts, access),
    tmp,
    folders: [
      ...more.filter((path) => existsSync(path)).map((path) => ({ folder: path, name: path })),
      ...[folder, home, tmp].map(shown),
      ...[files, ...(hasTools(folder) ? [toolsIn(folder)] : [])].map((path) => ({ ...shown(path), readOnly: true })),
      { ...shown(cache), ...(access !== 'fetch' && { layer: layerOf(folder) }) },
    ],
  };
}

/** Returns the folder into which programs of one attempt write instead of the shared caches. */
export const layerOf = (folder: string): string => join(dirname(folder), 'layer');

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

function atBuildRoot(command: Command, { binds, inside }: BuildPaths): Command {
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
