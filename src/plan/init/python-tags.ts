import type { Json } from '../../model/json.js';
import { isAdmitted, parseSpecifier } from '../../model/python/specifier.js';
import { parseVersion } from '../../model/python/version.js';
import { listAt, matched, textAt, textOf, type Folder } from './lookup.js';

/** Minor versions of CPython to offer by default. */
const MINORS = [10, 11, 12, 13];
const NEXT = [14, 15];

/** Returns the tags of CPythons that the metadata supports, `cp310` first. Never empty. */
export function pythonsOf(folder: Folder, toml: Json | null): readonly string[] {
  const setup = textOf(folder, 'setup.py');
  const range =
    textAt(toml, 'project', 'requires-python') ??
    textAt(toml, 'tool', 'poetry', 'dependencies', 'python') ??
    matched(textOf(folder, 'setup.cfg'), /^python_requires\s*=\s*(\S.*)$/m) ??
    matched(setup, /python_requires\s*=\s*["']([^"']+)["']/) ??
    '';
  const classifiers = `${(listAt(toml, 'project', 'classifiers') ?? []).join('\n')}\n${textOf(folder, 'setup.cfg') ?? ''}\n${setup ?? ''}`;
  const named = new Set(
    [...classifiers.matchAll(/Programming Language :: Python :: 3\.(\d+)/g)].map((one) => Number(one[1])),
  );
  const allowed = (minors: readonly number[]): readonly number[] => minors.filter((minor) => allows(range, minor));
  const chosen = allowed(MINORS).filter((minor) => named.size === 0 || named.has(minor));
  const first = [chosen, allowed(MINORS), allowed(NEXT).slice(0, 1), [11]].find((some) => some.length > 0)!;
  return first.map((minor) => `cp3${minor}`);
}

/** Whether a release of 3.MINOR is in a range such as `>=3.9,<3.14`, or `^3.9` of poetry. Unknown parts exclude nothing. */
export function allows(range: string, minor: number): boolean {
  const releases = Array.from({ length: MOST_PATCHES }, (_, patch) => parseVersion(`3.${minor}.${patch}`)!);
  return range.split(',').every((part) => {
    const clause = part
      .trim()
      .replace(/^\^/, '>=')
      .replace(/^(?:~(?!=)\s*)?(3(\.\d+)?)(?:\.(?:\d+|\*))*$/, '==$1');
    const specifier = parseSpecifier(clause.replace(/^==3(\.\d+)?$/, '$&.*'));
    return specifier === null || releases.some((version) => isAdmitted(version, [specifier]));
  });
}
const MOST_PATCHES = 40;
