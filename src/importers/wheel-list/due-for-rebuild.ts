import { epochFor } from '../../model/epochs.js';
import { lostLink } from '../../model/python/links.js';
import type { BuiltFrom } from '../../model/made-base.js';
import type { OurWheel } from '../asks.js';
import { stepOf } from './entry-name.js';
import type { Wanting } from './ours.js';
import type { Rules } from './verdict.js';

/** Returns why a wheel of ours is to be built again. Null if it is not. A new base alone is no reason. */
export function dueForRebuild(wheel: OurWheel, want: Wanting, rules: Rules): string | null {
  const builds = buildsOf(wheel, rules);
  return raised(want, builds, rules) ?? moved(wheel, want, builds, rules);
}

/** Returns the builds that gave the wheel: the first one, and those that gave its bytes again. */
export const buildsOf = ({ digest, from, epoch = 0 }: OurWheel, { rebuilds }: Rules): readonly BuiltFrom[] => [
  { source: from.source, base: from.base, epoch },
  ...(rebuilds.confirmed[digest] ?? []),
];

/** Returns how the epoch of a build was raised. Null if it was not. */
export function raised(want: Wanting, builds: readonly BuiltFrom[], { epochs }: Rules): string | null {
  const wanted = epochFor(stepOf(want), epochs) ?? 0;
  const newest = Math.max(...builds.map(({ epoch }) => epoch));
  return wanted > newest ? `\`epochs\` is raised from ${newest} to ${wanted}` : null;
}

function moved(
  { from, links = {} }: OurWheel,
  { target }: Wanting,
  builds: readonly BuiltFrom[],
  { rebuilds }: Rules,
): string | null {
  const newer = from.base === null ? undefined : rebuilds.bases[from.base];
  if (newer === undefined || builds.some(({ base }) => base === newer.now)) return null;
  const lost = lostLink(links, newer.lost);
  return lost === null ? null : `it links ${lost}, which the newest base of ${target.platform} lacks`;
}
