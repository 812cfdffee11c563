import type { Json } from '../../model/json.js';
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

/** Whether 3.MINOR is in a range such as `>=3.9,<3.14`. Unknown parts exclude nothing. */
export function allows(range: string, minor: number): boolean {
  return range.split(',').every((part) => {
    const [, operator, rest] = /^(>=|>|<=|<|~=|==|!=|\^|~)?\s*3((?:\.\d+)*)(?:\.\*)?$/.exec(part.trim()) ?? [];
    if (rest === undefined) return true;
    const [said, patch] = rest.split('.').slice(1).map(Number);
    if (said === undefined) return true;
    switch (operator) {
      case '>=':
      case '^':
        return minor >= said;
      case '~=':
        return patch === undefined ? minor >= said : minor === said;
      case '>':
        return patch === undefined ? minor > said : minor >= said;
      case '<':
        return patch === undefined || patch === 0 ? minor < said : minor <= said;
      case '<=':
        return minor <= said;
      case '!=':
        return patch !== undefined || minor !== said;
      default:
        return minor === said;
    }
  });
}
