import { hexOf } from '../../model/digest.js';
import type { OurWheel } from '../asks.js';
import { buildsOf, dueForRebuild } from './due-for-rebuild.js';
import type { Rules, Verdict } from './verdict.js';
import type { Want } from './wanted.js';

/** Returns the verdict about a version of which ours has a wheel. Null if ours has none that fits.
 * @param built the verdict without that wheel */
export function hereOf({ wanted: { project }, target }: Want, built: Verdict, rules: Rules): Verdict | null {
  const { version } = built;
  const want = { project, version, target };
  const wheel = rules.ours(want);
  if (wheel === null) return null;
  const why = built.verdict !== 'build' ? null : (otherSdist(wheel, built, rules) ?? dueForRebuild(wheel, want, rules));
  if (why !== null) return { ...built, because: why, rebuilds: wheel };
  const because = `${wheel.file}, since ${wheel.uploadTime.slice(0, 10)}`;
  return { version, verdict: 'here', because, file: wheel.file, sha256: hexOf(wheel.digest) };
}

/** A wheel without a recorded source counts as of the same one. */
function otherSdist(wheel: OurWheel, { file, sha256 }: Verdict, rules: Rules): string | null {
  const sources = buildsOf(wheel, rules).map(({ source }) => source);
  const isSame = sources.some((source) => source === null || sha256 === undefined || hexOf(source) === sha256);
  return isSame ? null : `ours was built from another ${file}`;
}
