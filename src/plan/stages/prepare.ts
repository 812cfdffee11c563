import type { Wheel } from '../../model/schema/sections/builds.js';
import { bundlePath, prefixOf, readFiles } from '../bundle.js';
import type { Context } from '../context.js';
import { plannedStep } from '../planned-step.js';
import { commandOf, idsOf, treeNeeds, unique } from '../entry.js';
import { BARE, type PlannedStep, type PlanEntry, type Need, type Variant } from '../stage.js';
import { baseNeeds } from '../where.js';

type Prepare = NonNullable<Wheel['prepare']>;

export const prepareId = (wheel: string): string => `prepare/${wheel}`;

/** Plans a preparation, which runs once for all variants of a wheel. It uses one variant of each need. */
export function prepareItem(
  name: string,
  wheel: Wheel,
  prepare: Prepare,
  needs: readonly Need[],
  context: Context,
): PlanEntry {
  const path = ['wheels', name, 'prepare'];
  const id = prepareId(name);
  const one = needs.map((need): Need => ({
    ...need,
    ref: pickPython(need, pythonOf(wheel, prepare, context), context),
    first: true,
  }));
  return {
    ...BARE,
    id,
    path,
    needs: unique([
      ...one,
      ...treeNeeds(one, path, context),
      // It runs once, so on one machine, whatever the wheels' platforms.
      ...baseNeeds({ ...wheel, on: wheel.on ?? context.mainQueue }, `wheels/${name}`, ['wheels', name], context),
    ]),
    make: (variant) => make(name, wheel, prepare, variant, context),
  };
}

function pythonOf(wheel: Wheel, prepare: Prepare, context: Context): string | null {
  return prepare.python ?? (wheel.matrix['python'] ?? wheel.pythons)?.[0] ?? context.pythons[0] ?? null;
}

/** Picks the Python of the preparation in needs with one variant per Python, such as locks. */
function pickPython(need: Need, python: string | null, context: Context): Need['ref'] {
  const [section] = need.ref.id.split('/');
  const hasPython = section === 'deps' && !need.ref.pick['python'] && context.pythons.length > 0;
  return hasPython && python !== null ? { ...need.ref, pick: { ...need.ref.pick, python } } : need.ref;
}

function make(name: string, wheel: Wheel, prepare: Prepare, variant: Variant, context: Context): PlannedStep {
  const path = ['wheels', name, 'prepare'];
  const overlay = wheel.overlay === undefined ? null : bundlePath(wheel.overlay, ['wheels', name, 'overlay'], context);
  const command = commandOf(
    { ...wheel, run: prepare.run, env: prepare.env },
    { ...variant, item: { ...variant.item, id: `wheels/${name}` } },
    path,
    context,
    ['files'],
  );
  return plannedStep('prepareSource', {
    id: variant.id,
    on: context.queueOf({}, wheel.on, ['wheels', name]),
    source: context.ownSource,
    needs: idsOf(variant),
    params: {
      ...command,
      project: wheel.project ?? name,
      python: pythonOf(wheel, prepare, context),
      overlay,
      normalise: prepare.normalise.map((text, index) => context.text(text, {}, [...path, 'normalise', index])),
    },
    files: [
      ...(overlay === null ? [] : [prefixOf(overlay, context)]),
      ...readFiles(undefined, [prepare.run, ...Object.values(prepare.env)], path, context),
    ],
    made: true,
    tools: ['uv', ...(command.where.in === 'container' ? ['docker'] : []), ...wheel.tools],
    timeout: prepare.timeout ?? wheel.timeout,
    retry: wheel.retry,
  });
}
