import { WITH_OWN_PYTHON } from '../model/build-packages.js';
import type { Axes } from '../model/ids.js';
import type { Params } from '../model/params.js';
import type { Base } from '../model/schema/sections/images.js';
import type { Context } from './context.js';
import { problems } from './errors.js';

/** Item whose variants are the bases of the platforms. */
export const PLATFORM_BASES = 'bases/of-platform';

/** Returns the base that a platform of the file names. Null without one. */
function nameFor(platform: string | undefined, { release: { platforms = [] } }: Context): string | null {
  return Array.isArray(platforms) ? null : (platforms[platform ?? '']?.base ?? null);
}

/** Whether platforms have bases of their own. */
export const havePlatformBases = (context: Context): boolean =>
  context.platforms.some((platform) => nameFor(platform, context) !== null);

/** Returns the base of a variant's platform, with its name in the file. Null without one. */
export function platformBase(axes: Axes, context: Context): { readonly name: string; readonly base: Base } | null {
  const name = nameFor(axes['platform'], context);
  const { bases } = context.release;
  return name === null || !Object.hasOwn(bases, name) ? null : { name, base: bases[name]! };
}

/** Complains about an unknown base, and about platforms without one beside others. */
export function checkPlatformBases(context: Context): void {
  const { bases } = context.release;
  const all = context.platforms.map((platform) => [platform, nameFor(platform, context)] as const);
  if (all.every(([, name]) => name === null)) return;
  for (const [platform, name] of all)
    if (name === null)
      context.needsThat(
        ['platforms', platform],
        'other platforms of the file have a base, and this one has none',
        'Write `base: NAME`, a name in `bases`.',
      );
    else if (!Object.hasOwn(bases, name))
      context.complain(problems.unknownNeed(context.at(['platforms', platform, 'base']), name, Object.keys(bases)));
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** How Docker tells the registry in an image's name: its first part has a dot or a port, or is localhost. */
const OWN_REGISTRY = /^(localhost|[^/]*[.:][^/]*)\//;
const registryOf = ({ registry }: Context['profile']) => registry !== undefined && { registry };

/** Returns a base as it is made, in the period of the plan: a base whose own Python builds wheels has a compiler and the headers of that Python. */
export function madeFrom(base: Base, { facts: { nowMs }, profile }: Context): Params['makeBase']['from'] {
  if (!('debian' in base)) return { image: base.image, ...(!OWN_REGISTRY.test(base.image) && registryOf(profile)) };
  const { python, refresh, debian, packages } = base;
  const under = python === 'own' ? WITH_OWN_PYTHON : [];
  const since = refresh === undefined ? {} : { since: dayOf(nowMs - (nowMs % refresh)) };
  return { debian, packages: [...new Set([...packages, ...under])].sort(), ...since };
}
