import type { Where } from '../model/params.js';
import type { Context } from './context.js';
import { problems, type Path } from './errors.js';
import type { Need, Variant } from './plan-entry.js';
import { ociPlatforms } from './oci.js';
import { plainRef } from './refs.js';

interface Housed {
  readonly packages: readonly string[];
  readonly base?: string | undefined;
  readonly on?: string | undefined;
}

/** `wheels/skiff` → the item that makes its container's base. */
export const ownBase = (item: string): string => `bases/${item.replace('/', '-')}`;

/** The need for a container's base, where an entry asks for one. */
export function baseNeeds(entry: Housed, item: string, path: Path, context: Context): readonly Need[] {
  if (entry.packages.length > 0 && entry.base !== undefined) {
    context.complain(
      problems.needsThat(
        context.at([...path, 'base'], 'key'),
        '"packages" and "base" are both given',
        'Put the packages into the entry of bases.',
      ),
    );
  }
  if (entry.packages.length > 0) return [container(ownBase(item), [...path, 'packages'], entry, context)];
  return entry.base === undefined ? [] : [container(`bases/${entry.base}`, [...path, 'base'], entry, context)];
}

/** The base for the machine that the step runs on: the one that `on:` names, else that of its platform. */
function container(id: string, path: Path, { on }: Housed, context: Context): Need {
  const named = on !== undefined && severalBases(context) && context.platforms.includes(on);
  return { ref: { ...plainRef(id), ...(named && { pick: { platform: on } }) }, path, quiet: true };
}

/** Whether bases are made for more than one platform, and then have it in their names. */
export const severalBases = (context: Context): boolean => ociPlatforms(context).length > 1;

export function whereOf(entry: Housed, variant: Variant): Where {
  const base = entry.packages.length > 0 ? ownBase(variant.item.id) : entry.base && `bases/${entry.base}`;
  const found = variant.needs.find(({ item }) => item.id === base);
  return found === undefined ? { in: 'host' } : { in: 'container', base: found.id };
}
