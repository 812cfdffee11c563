import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BUILD_ROOT } from '../../../model/build-root.js';
import { toolsFolder } from '../../tools-folder.js';
import type { Work } from '../../work.js';
import type { BuildEnv } from '../build-env.js';

export interface Needle {
  readonly prefix: string;
  readonly name: string;
}

/** Returns folders to search for, longest first, so that the innermost folder names a path. */
export function needlesOf(work: Work, env: BuildEnv, tree: string): readonly Needle[] {
  const own = work.env();
  const all: Needle[] = [
    { prefix: env.folder, name: '<build environment>' },
    { prefix: tree, name: '<source tree>' },
    { prefix: dirname(work.folder), name: '<build folder>' },
    { prefix: own['UV_CACHE_DIR'] ?? '', name: '<cache>' },
    { prefix: dirname(toolsFolder(own)), name: '<tools>' },
    { prefix: env.interpreter.prefix, name: '<Python>' },
  ];
  const real = all.flatMap(({ prefix, name }) => [
    ...[...new Set([prefix, realpath(prefix)])].map((path) => ({ prefix: path, name })),
    ...asSeen(work, { prefix, name }),
  ]);
  return real.filter(({ prefix }) => isOwn(prefix)).sort((a, b) => b.prefix.length - a.prefix.length);
}

/** Returns the folder as the step's programs see it. The build root itself is left out, since a README may name it:
 * only its subfolders count. */
export function asSeen({ paths }: Pick<Work, 'paths'>, { prefix, name }: Needle): readonly Needle[] {
  const seen = paths.inside(prefix);
  if (seen === prefix) return [];
  if (seen !== BUILD_ROOT) return [{ prefix: seen, name }];
  return ['work', 'files', 'home', 'tmp'].map((part) => ({
    prefix: join(BUILD_ROOT, part),
    name: part === 'work' ? name : `${name}/${part}`,
  }));
}

/** Folders that every system has reveal nothing about the builder. */
const isOwn = (path: string): boolean =>
  path.split('/').length > 2 && !['/usr/local', '/usr/lib', '/opt/python'].includes(path);

function realpath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return join(path);
  }
}
