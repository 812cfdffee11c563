import { normalName } from '../../model/python/file-name.js';
import { sameVersion } from '../../model/python/version.js';
import { byTries } from '../tried.js';
import { stepOf } from './entry-name.js';
import type { Rules, Verdict } from './verdict.js';
import type { WheelList } from '../../model/schema/sections/wheel-list.js';
import type { Want } from './wanted.js';

type Known = WheelList['known'][number];

/** Returns the verdict about a build that `known` lists, or that failed and is not tried again yet. Null if neither decides.
 * @param built the verdict without both */
export function triedAs({ wanted, target }: Want, built: Verdict, { known, tries }: Rules): Verdict | null {
  const { version, verdict } = built;
  const listed = known.find((one) => isListed(one, wanted.project, version, target.platform)) ?? null;
  const said = byTries(stepOf({ ...wanted, version, target }), verdict === 'build' ? tries : {}, listed);
  return said === null ? null : said.verdict === 'build' ? { ...built, known: said.known } : { version, ...said };
}

/** Whether a key of `known` means a version of a project on a platform. */
export const isListed = ({ wheel, on }: Known, project: string, version: string, platform: string): boolean =>
  isMeant(wheel, project, version) && (on === undefined || on.includes(platform));

/** Whether `name` or `name==version` means a version of a project. */
export function isMeant(text: string, project: string, version: string): boolean {
  const [name = '', wanted] = text.split('==');
  return normalName(name) === project && (wanted === undefined || sameVersion(wanted, version));
}
