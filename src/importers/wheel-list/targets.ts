import type { Complain } from '../file-problem.js';
import type { Setting } from '../importer.js';
import { remembered } from '../remembered.js';
import { problems } from './errors.js';
import { type PlatformTags, type Target, targetOf } from './target.js';

/** Returns a target. Null if its platform is unknown or has no glibc, which is then a problem. */
export type Targets = (platform: string, python: string) => Target | null;

/** Each platform is looked up once, and complained of once. */
export function openTargets({ platforms, at }: Setting, complain: Complain): Targets {
  const made = new Map<string, Target>();
  const tagsOf = remembered((name: string): PlatformTags | null => {
    const row = Object.hasOwn(platforms, name) ? platforms[name]! : null;
    if (row === null) complain(problems.platformUnknown(at([]), name, Object.keys(platforms)));
    else if (row.glibc === null) complain(problems.platformWithoutLibc(at([]), name));
    else return { ...row, glibc: row.glibc };
    return null;
  });
  return (platform, python) => {
    const tags = tagsOf(platform);
    if (tags === null) return null;
    const key = `${platform} ${python}`;
    const before = made.get(key);
    if (before !== undefined) return before;
    const { python: own } = platforms[platform]!;
    if (own !== null && own.tag !== python) complain(problems.platformPython(at([]), platform, own.tag, python));
    const target = targetOf(platform, python, tags, own?.version);
    made.set(key, target);
    return target;
  };
}
