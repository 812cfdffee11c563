import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Where } from '../../model/params.js';
import { stepsOf } from '../../model/sources.js';
import type { Item } from '../publish/ports.js';
import type { Work } from '../work.js';
import { insideOf, pythonInside } from '../wheels/own-python.js';
import { placeOf } from '../wheels/builders.js';
import type { Verify } from './pass.js';

/** Wheels that are installed in one place: the container of a base, or the worker. */
export interface Group {
  readonly where: Where;
  /** True if the Python of the base built them. */
  readonly ownPython: boolean;
  readonly items: readonly Item[];
}

/** Groups the wheels by the base in which each was built. */
export function groupsOf({ work }: Verify, items: readonly Item[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const item of items) {
    const { where, ownPython } = builtIn(work, item);
    const key = where.in === 'host' ? '' : where.base;
    groups.set(key, { where, ownPython, items: [...(groups.get(key)?.items ?? []), item] });
  }
  return [...groups.values()];
}

function builtIn({ inputs, plan, step }: Verify['work'], { artifact: { digest } }: Item): Omit<Group, 'items'> {
  const build = inputs.find(
    ({ kind, artifacts }) => kind === 'buildWheel' && artifacts.some((one) => one.digest === digest),
  );
  const made = build === undefined ? undefined : stepsOf(plan).get(build.step);
  const { bases = [] } = step.params;
  if (made?.kind !== 'buildWheel' || made.params.where.in === 'host' || !bases.includes(made.params.where.base))
    return { where: { in: 'host' }, ownPython: false };
  return { where: made.params.where, ownPython: made.params.ownPython === true };
}

/** Runs programs where the wheels of a group are installed. */
export interface InstallPlace {
  readonly work: Work<'verifyTarget'>;
  readonly python: string;
}

/** Throws NO_ENGINE_HERE, BASE_PYTHON_ABSENT and BASE_PYTHON_DIFFERS. */
export async function installPlaceOf(
  { work, ports: { containers = null } }: Verify,
  { where, ownPython }: Group,
): Promise<InstallPlace> {
  const ofWorker = interpreter(work);
  if (where.in === 'host') return { work, python: ofWorker };
  const place = placeOf(work, where, containers, ownPython ? [] : [dirname(dirname(realpathSync(ofWorker)))]);
  const inside = insideOf(work, place, 'making the environment of the check');
  if (!ownPython) return { work: inside, python: ofWorker };
  const { path } = await pythonInside(work, place, { base: where.base, tag: work.step.params.python });
  return { work: inside, python: path };
}

function interpreter({ step, toolchain }: Verify['work']): string {
  const tag = step.params.python ?? 'cp3';
  return toolchain?.pythons[tag] ?? tag.replace(/^cp3(\d*)$/, (_, minor: string) => `python3${minor && `.${minor}`}`);
}
