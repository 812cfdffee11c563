import type { Where } from '../model/params.js';
import type { Context } from './context.js';
import { problems, type Path } from './errors.js';
import type { Need } from './item.js';
import { plainRef } from './refs.js';

interface Housed {
  readonly packages: readonly string[];
  readonly base?: string | undefined;
}

/** What a step under `packages:` may need besides: a compiler, and the libraries below the worker's own Pythons, which are mounted. */
export const UNDER_EVERY_BUILD = [
  'ca-certificates',
  'file',
  'g++',
  'gcc',
  'libbz2-1.0',
  'libffi8',
  'liblzma5',
  'libreadline8',
  'libsqlite3-0',
  'libssl3',
  'make',
  'pkg-config',
  'zlib1g',
] as const;

/** `wheels/skiff` → the item that makes its container's base. */
export const ownBase = (item: string): string => `bases/${item.replace('/', '-')}`;

/** The need for a container's base, where an entry asks for one. */
export function baseNeeds(entry: Housed, item: string, path: Path, context: Context): readonly Need[] {
  if (entry.packages.length > 0 && entry.base !== undefined) {
    context.complain(
      problems.needsThat(
        context.at([...path, 'base'], 'key'),
        '"packages" and "base" are both given',
        'Put the packages into the entry of bases.',
      ),
    );
  }
  if (entry.packages.length > 0) return [{ ref: plainRef(ownBase(item)), path: [...path, 'packages'] }];
  return entry.base === undefined ? [] : [{ ref: plainRef(`bases/${entry.base}`), path: [...path, 'base'] }];
}

export function whereOf(entry: Housed, item: string): Where {
  if (entry.packages.length > 0) return { in: 'container', base: ownBase(item) };
  return entry.base === undefined ? { in: 'host' } : { in: 'container', base: `bases/${entry.base}` };
}
