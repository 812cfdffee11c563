import type { Context } from '../context.js';
import { entriesOf } from '../entries.js';
import { plannedStep } from '../planned-step.js';
import { BARE, type PlannedStep, type PlanEntry } from '../stage.js';
import { machineOf, ociOf, ociPlatforms } from '../oci.js';
import type { Axes, Queue } from '../../model/ids.js';
import type { Path } from '../errors.js';
import { baseLine, madeForOf } from '../../model/made-base.js';
import type { Params } from '../../model/params.js';
import type { StepOf } from '../../model/plan.js';
import type { Image } from '../../model/schema/sections/images.js';
import { OWN_SECTIONS } from '../../model/schema/run-retries.js';
import { UNDER_EVERY_BUILD } from '../../model/build-packages.js';
import { havePlatformBases, madeFrom, PLATFORM_BASES, platformBase } from '../platform-bases.js';
import { ownBase, severalBases } from '../where.js';

/** Debian release for `packages:`. Its libraries fit the default workers. */
const USUAL_DEBIAN = 'bookworm';

type From = Params['makeBase']['from'];

/** Base images of `bases:`, and one for each entry with Debian packages. */
export function baseItems(context: Context): readonly PlanEntry[] {
  const written = Object.entries(context.release.bases).map(([name, from]) =>
    base(
      `bases/${name}`,
      () => ({ name, from: madeFrom(from, context) }),
      ['bases', name],
      severalBases(context),
      context,
    ),
  );
  const ofPlatforms = havePlatformBases(context)
    ? [base(PLATFORM_BASES, (axes) => baseFor(axes, context), ['platforms'], true, context)]
    : [];
  const asked = withOwnPackages(context).map(({ id, path, packages }) => {
    const from = (axes: Axes): Made => ({
      name: id.slice('bases/'.length),
      from: withPackages(packages, axes, context),
    });
    const several = severalBases(context) || (path[0] === 'wheels' && havePlatformBases(context));
    return base(id, from, path, several, context);
  });
  return [...written, ...ofPlatforms, ...asked];
}

/** Entries with packages of their own, each with the id of its base. */
function withOwnPackages({ release }: Context) {
  const sections = ['sdists', 'wheels', 'jars', 'tests', 'steps', ...Object.keys(OWN_SECTIONS)];
  return sections.flatMap((section) =>
    Object.entries(entriesOf(release, section)).flatMap(([name, { packages = [] }]) =>
      packages.length === 0 ? [] : [{ id: ownBase(`${section}/${name}`), path: [section, name, 'packages'], packages }],
    ),
  );
}

interface Made {
  readonly name: string;
  readonly from: From;
}

/** Returns the base of a platform. A platform without one is already a problem. */
function baseFor(axes: Axes, context: Context): Made {
  const found = platformBase(axes, context);
  return found === null ? { name: '', from: { image: '' } } : { name: found.name, from: madeFrom(found.base, context) };
}

/** Returns the base of a platform with further packages, else that of an entry by itself. An image takes none: see `checkPackages`. */
function withPackages(packages: readonly string[], axes: Axes, context: Context): From {
  const found = platformBase(axes, context);
  const usual = { debian: USUAL_DEBIAN, packages: UNDER_EVERY_BUILD };
  const under = found === null ? usual : madeFrom(found.base, context);
  if ('image' in under) return under;
  return { ...under, packages: [...new Set([...packages, ...under.packages])].sort() };
}

/** Id of the entry that an image begins from: `bases/sea`, or `images/base-deps` of the same file. Null: of none. */
export const baseOf = ({ base }: Pick<Image, 'base'>): string | null =>
  base === undefined || base.startsWith('images/') ? (base ?? null) : `bases/${base}`;

/** Plans a base. Unused ones are removed later.
 * @param several one for each platform */
function base(id: string, made: (axes: Axes) => Made, path: Path, several: boolean, context: Context): PlanEntry {
  return {
    ...BARE,
    id,
    path,
    needs: [],
    own: several ? { platform: context.platforms } : {},
    make: ({ id: step, axes }) => {
      const { name, from } = made(axes);
      return plannedStep('makeBase', {
        id: step,
        on: queueOf(id, axes, context),
        axes,
        params: {
          name,
          from,
          oci: ociOf(axes['platform'] ?? ociPlatforms(context)[0], context),
        },
        tools: 'debian' in from ? ['docker', 'mmdebstrap'] : ['docker'],
      });
    },
  };
}

/** Returns the queue of the image that is built on the base, else the queue of its platform. */
function queueOf(id: string, axes: Axes, context: Context): Queue {
  const images = Object.values(context.release.images).filter((image) => baseOf(image) === id);
  const on = images.map((image) => image.on).find((queue) => queue !== undefined);
  if (
    on !== undefined &&
    (axes['platform'] === undefined || machineOf(on, context) !== ociOf(axes['platform'], context))
  )
    return on;
  return axes['platform'] === undefined ? context.mainQueue : context.queueOf(axes, undefined, ['bases']);
}

/** Removes unused bases: each costs minutes. A base of a platform that is due to be refreshed stays: its libraries say which
 * listed wheels are built again. */
export const withoutIdleBases = (drafts: readonly PlannedStep[], context: Context): readonly PlannedStep[] => {
  const needed = new Set(drafts.flatMap(({ step }) => step.needs));
  const isOfPlatforms = drafts.some(({ step }) => step.id.startsWith(PLATFORM_BASES));
  return drafts.filter(
    ({ step }) =>
      step.kind !== 'makeBase' ||
      needed.has(step.id) ||
      (step.id.startsWith(PLATFORM_BASES) && isToRefresh(step, context)) ||
      (step.axes['platform'] === undefined && !isOfPlatforms),
  );
};

/** Refuses packages over the image of a platform, for steps that are planned. */
export function checkPackages(drafts: readonly PlannedStep[], context: Context): void {
  const paths = new Map(withOwnPackages(context).map(({ id, path }) => [id, path]));
  for (const { step } of drafts) {
    const path = paths.get(step.id.split('/').slice(0, 2).join('/'));
    if (path === undefined || step.kind !== 'makeBase' || !('image' in step.params.from)) continue;
    const { image } = step.params.from;
    context.needsThat(
      path,
      `platforms.${step.axes['platform']} has the base ${image}, and packages cannot be installed over an image: its distribution is unknown`,
      'Take an image that has them, or give the entry `base: NAME`, an entry `{ debian: bookworm, packages: […] }` of `bases`.',
    );
  }
}

/** Whether a base was made for an earlier period than that of the plan, or from another image. */
function isToRefresh(step: StepOf<'makeBase'>, { name, facts: { madeFor = {} } }: Context): boolean {
  const now = madeForOf(step.params.from);
  const before = madeFor[baseLine(name, step)];
  return now !== null && before !== undefined && before !== now;
}
