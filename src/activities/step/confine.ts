import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fail } from '../../model/failure.js';
import type { StepId } from '../../model/ids.js';
import { type Access, type Isolation, weakest } from '../../model/isolation.js';
import { KINDS, type KindName } from '../../model/kinds.js';
import type { Cell, Command } from '../ports.js';
import { atBuildRoot, type BuildPaths } from './build-paths.js';
import { sandboxAbsent } from './errors.js';
import type { Workspace } from './workspace.js';

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
  return (command, access = 'project', folders = []) => {
    if (!isOfProject && access !== 'line') return command;
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
      { ...shown(files), readOnly: true },
      { ...shown(cache), ...(access !== 'fetch' && { layer: layerOf(folder) }) },
    ],
  };
}

/** Returns the folder into which programs of one attempt write instead of the shared caches. */
export const layerOf = (folder: string): string => join(dirname(folder), 'layer');
