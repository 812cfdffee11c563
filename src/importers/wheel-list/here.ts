import { hexOf } from '../../model/digest.js';
import { epochFor } from '../../model/epochs.js';
import type { BuiltFrom } from '../../model/made-base.js';
import { lostLink } from '../../model/python/links.js';
import type { OurWheel } from '../asks.js';
import { stepOf } from './entry-name.js';
import { buildOf, type Wanting } from './ours.js';
import type { Rebuilt, Rules, Verdict } from './verdict.js';
import type { Want } from './wanted.js';

/** Returns the verdict about a version of which ours has or had a wheel. Null if ours had none that fits.
 * @param built the verdict without that wheel */
export function hereOf({ wanted: { project }, target }: Want, built: Verdict, rules: Rules): Verdict | null {
  const { version } = built;
  const want = { project, version, target };
  const wheel = rules.ours(want);
  if (wheel === null) return built.verdict === 'build' ? formerOf(want, built, rules) : null;
  const why = built.verdict !== 'build' ? null : (otherSdist(wheel, built, rules) ?? dueForRebuild(wheel, want, rules));
  if (why !== null) return { ...built, because: why, rebuilds: rebuilt(wheel, want, rules) };
  const because = `${wheel.file}, since ${wheel.uploadTime.slice(0, 10)}`;
  return { version, verdict: 'here', because, file: wheel.file, sha256: hexOf(wheel.digest) };
}

/** Returns the build of a wheel that ours had: its name never gets other bytes. A wheel that a person removed by hand is built
 * as before until its epoch is raised. */
function formerOf(want: Wanting, built: Verdict, rules: Rules): Verdict | null {
  const [wheel] = rules.former(want);
  if (wheel === undefined) return null;
  const isKept = wheel.byHand === true && raised(want, buildsOf(wheel, rules), rules) === null;
  return isKept ? null : { ...built, rebuilds: { ...rebuilt(wheel, want, rules), isListed: false } };
}

function rebuilt({ file, digest }: OurWheel, want: Wanting, { former }: Rules): Rebuilt {
  const taken = [{ file }, ...former(want)].map(buildOf);
  return { file, digest, build: 1 + Math.max(...taken), isListed: true };
}

/** A wheel without a recorded source counts as of the same one. */
function otherSdist(wheel: OurWheel, { file, sha256 }: Verdict, rules: Rules): string | null {
  const sources = buildsOf(wheel, rules).map(({ source }) => source);
  const isSame = sources.some((source) => source === null || sha256 === undefined || hexOf(source) === sha256);
  return isSame ? null : `ours was built from another ${file}`;
}

/** Returns why a wheel of ours is to be built again. Null if it is not. A new base alone is no reason. */
function dueForRebuild(wheel: OurWheel, want: Wanting, rules: Rules): string | null {
  const builds = buildsOf(wheel, rules);
  return raised(want, builds, rules) ?? moved(wheel, want, builds, rules);
}

/** Returns the builds that gave the wheel: the first one, and those that gave its bytes again. */
const buildsOf = ({ digest, from, epoch = 0 }: OurWheel, { rebuilds }: Rules): readonly BuiltFrom[] => [
  { source: from.source, base: from.base, epoch },
  ...(rebuilds.confirmed[digest] ?? []),
];

/** Returns how the epoch of a build was raised. Null if it was not. */
function raised(want: Wanting, builds: readonly BuiltFrom[], { epochs }: Rules): string | null {
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
