import type { Where } from '../model/params.js';
import type { Context } from './context.js';
import type { Path } from './errors.js';
import type { Need, Variant } from './stage.js';
import { ociPlatforms } from './oci.js';
import { havePlatformBases, PLATFORM_BASES, platformBase } from './platform-bases.js';
import { plainRef } from './refs.js';

interface Housed {
  readonly packages: readonly string[];
  readonly base?: string | undefined;
  readonly on?: string | undefined;
}

/** Id of an item's own base: `wheels/skiff` has `bases/wheels-skiff`. */
export const ownBase = (item: string): string => `bases/${item.replace('/', '-')}`;

/** Returns the need for a container's base. Empty if the entry asks for none. */
export function baseNeeds(entry: Housed, item: string, path: Path, context: Context): readonly Need[] {
  if (entry.packages.length > 0 && entry.base !== undefined) {
    context.needsThat(
      [...path, 'base'],
      '"packages" and "base" are both given',
      'Put the packages into the entry of bases.',
    );
  }
  if (entry.packages.length > 0) return [container(ownBase(item), [...path, 'packages'], entry, context)];
  if (entry.base !== undefined) return [container(`bases/${entry.base}`, [...path, 'base'], entry, context)];
  return isOfPlatform(item, context) ? [{ ref: plainRef(PLATFORM_BASES), path, quiet: true }] : [];
}

/** Whether an entry is built in the base of its platform. */
const isOfPlatform = (item: string, context: Context): boolean =>
  item.startsWith('wheels/') && havePlatformBases(context);

/** Returns the base for the machine that runs the step: that of `on:`, else that of its platform. */
function container(id: string, path: Path, { on }: Housed, context: Context): Need {
  const named = on !== undefined && severalBases(context) && context.platforms.includes(on);
  return { ref: { ...plainRef(id), ...(named && { pick: { platform: on } }) }, path, quiet: true };
}

/** Whether bases exist for several platforms. Their ids then name it. */
export const severalBases = (context: Context): boolean => ociPlatforms(context).length > 1;

export function whereOf(entry: Housed, variant: Variant): Where {
  const base =
    entry.packages.length > 0
      ? ownBase(variant.item.id)
      : entry.base === undefined
        ? PLATFORM_BASES
        : `bases/${entry.base}`;
  const found = variant.needs.find(({ item }) => item.id === base);
  return found === undefined ? { in: 'host' } : { in: 'container', base: found.id };
}

/** Whether the Python of the container builds a wheel. */
export function hasOwnPython({ packages, base }: Housed, { axes }: Variant, context: Context): boolean {
  const named =
    base === undefined || packages.length > 0 ? platformBase(axes, context)?.base : context.release.bases[base];
  return named?.python === 'own';
}
