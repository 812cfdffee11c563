import { realpathSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { readJson } from '../json-file.js';

type Env = Readonly<Record<string, string | undefined>>;

/** More roots than one home needs; the oldest are dropped. */
const MOST = 200;

/** Folders of release files that this home has run, and repositories that these files named. */
export type RootKind = 'roots' | 'repositories';

const rootsFile = (home: string, kind: RootKind): string => join(home, `${kind}.json`);

export const isBelow = (path: string, folders: readonly string[]): boolean =>
  folders.some((one) => path === one || path.startsWith(one.endsWith(sep) ? one : one + sep));

/** Returns folders below which a workflow's input may name release files, or these may name repositories. SLIPWAY_ROOTS
 * lists both, separated as in PATH. Without it, they are those of runs that were typed in this home. */
export function readRoots(env: Env, home: string, kind: RootKind = 'roots'): readonly string[] {
  const said = env['SLIPWAY_ROOTS'];
  return said === undefined ? recorded(home, kind) : said.split(delimiter).filter(isAbsolute);
}

/** Allows the folder of a release file from now on. Only this user can write the home.
 * @param file absolute path; a folder is allowed itself */
export function allowRoot(home: string, file: string, kind: RootKind = 'roots'): void {
  const real = realpathSync(file);
  const root = statSync(real).isDirectory() ? real : dirname(real);
  const before = recorded(home, kind);
  if (isBelow(root, before)) return;
  const half = `${rootsFile(home, kind)}.${process.pid}.half`;
  writeFileSync(half, `${JSON.stringify([...before, root].slice(-MOST))}\n`, { mode: 0o600 });
  renameSync(half, rootsFile(home, kind));
}

/** Empty if the file is absent or damaged; the next `slipway run` rewrites it. */
function recorded(home: string, kind: RootKind): readonly string[] {
  const read = readJson<unknown>(rootsFile(home, kind));
  return Array.isArray(read) ? read.filter((one) => typeof one === 'string' && isAbsolute(one)) : [];
}
