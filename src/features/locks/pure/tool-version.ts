import type { LockTool } from '../../../model/params.js';
import type { Context } from '../../../plan/context.js';
import { instantOf } from '../../../plan/entry.js';
import { plannedStep } from '../../../plan/planned-step.js';
import { plainRef } from '../../../plan/refs.js';
import { BARE, type Need, type PlanEntry } from '../../../plan/stage.js';
import type { Lock } from '../schemas/lock.js';
import { toolLockOf } from './tool-lock.js';

/** A lock whose tool and version are apart. */
export type Asked = Omit<Lock, 'tool'> & { readonly tool: LockTool; readonly version?: string };

/** Splits `pip-tools==7.4.1`. */
export function asked(lock: Lock): Asked {
  const [tool, version] = lock.tool.split('==') as [LockTool, string?];
  return { ...lock, tool, ...(version !== undefined && { version }) };
}

/** Returns the entry that locks a tool with a version and all that it needs, with hashes, for each variant of the lock. Null if
 * the worker's own tool locks. Complains about `pip` without effect, and about another lock of that name. */
export function toolEntry(name: string, lock: Asked, item: PlanEntry, context: Context): PlanEntry | null {
  const path = ['deps', name];
  if (lock.pip !== undefined && (lock.tool !== 'pip-tools' || lock.version === undefined))
    context.needsThat(
      [...path, 'pip'],
      `"pip" is what pip-tools of a version runs with, and the tool is ${lock.tool}`,
      'Take `pip` away, or write `tool: pip-tools==VERSION`.',
    );
  if (lock.version === undefined) return null;
  const own = toolLockOf(name);
  if (Object.hasOwn(context.release.deps, own))
    context.needsThat(
      [...path, 'tool'],
      `the lock of its tool is deps/${own}, and that is an entry`,
      `Rename deps.${own}.`,
    );
  const { id: _, needs: __, make: ___, ...frame } = item;
  return {
    ...BARE,
    ...frame,
    id: `deps/${own}`,
    needs: [],
    make: ({ id, axes }) =>
      plannedStep('compileLock', {
        id,
        on: context.queueOf(axes, lock.on ?? context.mainQueue, path),
        axes,
        needs: [],
        params: {
          ...{
            name: own,
            tool: 'uv',
            python: axes['python'] ?? context.pythons[0] ?? '',
            for: context.platformFacts(axes),
          },
          ...{ requires: requirementsOf(lock), in: [], constraints: [], drift: null, toolOf: name },
          cutoff: lock.tool === 'uv' ? instantOf(lock.cutoff) : null,
        },
        made: true,
        tools: ['uv'],
        timeout: lock.timeout,
        retry: lock.retry,
      }),
  };
}

const requirementsOf = ({ tool, version, pip }: Asked): readonly string[] => [
  `${tool}==${version!}`,
  ...(tool === 'uv' ? [] : [pip === undefined ? 'pip' : `pip==${pip}`]),
];

export const toolNeed = (name: string, { version }: Asked): readonly Need[] =>
  version === undefined ? [] : [{ ref: plainRef(`deps/${toolLockOf(name)}`), path: ['deps', name, 'tool'] }];
