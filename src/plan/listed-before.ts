import type { Digest } from '../model/digest.js';
import type { Axes } from '../model/ids.js';
import type { Params } from '../model/params.js';
import type { Wheel } from '../model/schema/sections/builds.js';
import type { Context } from './context.js';
import type { Path } from './errors.js';

/** Returns the wheel of a variant that an index lists already. Empty without one. */
export function listedBefore({ again = [] }: Wheel, axes: Axes): Pick<Params['buildWheel'], 'again'> {
  const found = again.find(({ platform, python }) => platform === axes['platform'] && python === axes['python']);
  if (found === undefined) return {};
  const { file, digest, build } = found;
  return { again: { file, digest: digest as Digest, build } };
}

/** Complains about `again` of a wheel without variants for each platform and Python. */
export function checkAgain({ again, platform, python }: Wheel, path: Path, context: Context): void {
  if (again === undefined || (platform === undefined && python === undefined)) return;
  context.needsThat(
    [...path, 'again'],
    `\`again\` names variants, and \`${platform === undefined ? 'python' : 'platform'}: none\` makes one wheel`,
    'Take `again` away: imports write it for the wheels that an index lists.',
  );
}
