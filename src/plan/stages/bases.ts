import type { Context } from '../context.js';
import { plannedStep } from '../planned-step.js';
import { BARE, type PlannedStep, type PlanEntry } from '../plan-entry.js';
import { machineOf, ociOf, ociPlatforms } from '../oci.js';
import type { Axes, Queue } from '../../model/ids.js';
import type { Path } from '../errors.js';
import type { Params } from '../../model/params.js';
import { UNDER_EVERY_BUILD } from '../../model/build-packages.js';
import { ownBase, severalBases } from '../where.js';

/** Debian release for `packages:`. Its libraries fit the default workers. */
const USUAL_DEBIAN = 'bookworm';

type From = Params['makeBase']['from'];

/** Base images of `bases:`, and one for each entry with Debian packages. */
export function baseItems(context: Context): readonly PlanEntry[] {
  const written = Object.entries(context.release.bases).map(([name, from]) =>
    base(`bases/${name}`, from, ['bases', name], context),
  );
  const sections = ['sdists', 'wheels', 'jars', 'tests', 'steps'] as const;
  const asked = sections.flatMap((section) =>
    Object.entries(context.release[section]).flatMap(([name, entry]) => {
      if (!('packages' in entry) || entry.packages.length === 0) return [];
      const packages = [...new Set([...entry.packages, ...UNDER_EVERY_BUILD])];
      return [
        base(ownBase(`${section}/${name}`), { debian: USUAL_DEBIAN, packages }, [section, name, 'packages'], context),
      ];
    }),
  );
  return [...written, ...asked];
}

/** Plans a base for each platform with containers. Unused ones are removed later. */
function base(id: string, from: From, path: Path, context: Context): PlanEntry {
  const sorted: From = 'debian' in from ? { ...from, packages: [...from.packages].sort() } : from;
  return {
    ...BARE,
    id,
    path,
    needs: [],
    own: severalBases(context) ? { platform: context.platforms } : {},
    make: ({ id: step, axes }) =>
      plannedStep('makeBase', {
        id: step,
        on: queueOf(id, axes, context),
        axes,
        params: {
          name: id.slice('bases/'.length),
          from: sorted,
          oci: ociOf(axes['platform'] ?? ociPlatforms(context)[0], context),
        },
        tools: 'debian' in from ? ['docker', 'mmdebstrap'] : ['docker'],
      }),
  };
}

/** Returns the queue of the image that is built on the base, else the queue of its platform. */
function queueOf(id: string, axes: Axes, context: Context): Queue {
  const images = Object.values(context.release.images).filter((image) => `bases/${image.base}` === id);
  const on = images.map((image) => image.on).find((queue) => queue !== undefined);
  if (
    on !== undefined &&
    (axes['platform'] === undefined || machineOf(on, context) !== ociOf(axes['platform'], context))
  )
    return on;
  return axes['platform'] === undefined ? context.mainQueue : context.queueOf(axes, undefined, ['bases']);
}

/** Removes unused bases: each costs minutes. */
export const withoutIdleBases = (drafts: readonly PlannedStep[]): readonly PlannedStep[] => {
  const needed = new Set(drafts.flatMap(({ step }) => step.needs));
  return drafts.filter(
    ({ step }) => step.kind !== 'makeBase' || step.axes['platform'] === undefined || needed.has(step.id),
  );
};
