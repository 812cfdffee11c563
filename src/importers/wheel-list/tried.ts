import { normalName } from '../../model/python/file-name.js';
import { sameVersion } from '../../model/python/version.js';
import type { Tried } from '../importer.js';
import { stepOf } from './entry-name.js';
import type { Rules, Verdict } from './verdict.js';
import type { WheelList } from '../../model/schema/sections/wheel-list.js';
import type { Want } from './wanted.js';

type Known = WheelList['known'][number];

/** Returns the verdict about a build that `known` lists. It is built all the same if only another build of it failed, say one of
 * another recipe. Null if nothing lists it.
 * @param built the verdict without that key */
export function knownOf(want: Want, built: Verdict, rules: Rules): Verdict | null {
  const { version, verdict } = built;
  const listed = listedIn(rules.known, want, version);
  if (listed === null) return null;
  const tried = triedOf(want, version, rules);
  if (verdict === 'build' && (tried === 'not asked' || tried?.isSame === false))
    return { ...built, known: listed.because };
  return { version, verdict: 'known', because: `${listed.because} (until ${listed.until})` };
}

/** Returns the verdict about a build that failed and is not tried again yet. Null if it is to be built. */
export function failedOf(want: Want, built: Verdict, rules: Rules): Verdict | null {
  const { version, verdict } = built;
  const tried = triedOf(want, version, rules);
  if (verdict !== 'build' || tried === 'not asked' || tried === null) return null;
  if (!tried.isSame || tried.until === null) return null;
  const log = `\`${logCommand(stepOf({ ...want.wanted, version, target: want.target }), tried)}\``;
  return { version, verdict: 'failed before', because: `${failureText(tried)}; ${log}`, failed: tried };
}

/** `BUILD_FAILED: krb5-config: not found (2026-11-20T10:00Z; not tried again before 2026-11-27T10:00Z)` */
export const failureText = ({ code, message, at, until }: Tried): string =>
  `${code}: ${message} (${minuteOf(at)}; not tried again before ${minuteOf(until!)})`;

/** Command that shows the log of a failure. */
export const logCommand = (step: string, { run }: Tried): string => `slipway logs ${step} --run ${run}`;

const minuteOf = (time: string): string => `${time.slice(0, 16)}Z`;

/** The last failure of a build. Null without one. */
function triedOf({ wanted: { project }, target }: Want, version: string, { tries }: Rules): Tried | 'not asked' | null {
  if (tries === null) return 'not asked';
  const step = stepOf({ project, version, target });
  return Object.hasOwn(tries, step) ? tries[step]! : null;
}

const listedIn = (
  all: readonly Known[],
  { wanted: { project }, target }: Pick<Want, 'wanted' | 'target'>,
  version: string,
): Known | null => all.find((one) => isListed(one, project, version, target.platform)) ?? null;

/** Whether a key of `known` means a version of a project on a platform. */
export const isListed = ({ wheel, on }: Known, project: string, version: string, platform: string): boolean =>
  isMeant(wheel, project, version) && (on === undefined || on.includes(platform));

/** Whether `name` or `name==version` means a version of a project. */
export function isMeant(text: string, project: string, version: string): boolean {
  const [name = '', wanted] = text.split('==');
  return normalName(name) === project && (wanted === undefined || sameVersion(wanted, version));
}
