import { readFileSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** More roots than one home needs; the oldest are dropped. */
const MOST = 200;

const rootsFile = (home: string): string => join(home, 'roots.json');

/** Returns folders below which a workflow's input may name release files. SLIPWAY_ROOTS lists them, separated as in
 * PATH. Without it, they are the folders of release files that this home has run. */
export function readRoots(env: Env, home: string): readonly string[] {
  const said = env['SLIPWAY_ROOTS'];
  return said === undefined ? recorded(home) : said.split(delimiter).filter(isAbsolute);
}

/** Allows the folder of a release file from now on. Only this user can write the home.
 * @param file absolute path; a folder is allowed itself */
export function allowRoot(home: string, file: string): void {
  const real = realpathSync(file);
  const root = statSync(real).isDirectory() ? real : dirname(real);
  const before = recorded(home);
  if (before.some((one) => root === one || root.startsWith(one.endsWith(sep) ? one : one + sep))) return;
  const half = `${rootsFile(home)}.${process.pid}.half`;
  writeFileSync(half, `${JSON.stringify([...before, root].slice(-MOST))}\n`, { mode: 0o600 });
  renameSync(half, rootsFile(home));
}

/** Empty if the file is absent or damaged; the next `slipway run` rewrites it. */
function recorded(home: string): readonly string[] {
  try {
    const read: unknown = JSON.parse(readFileSync(rootsFile(home), 'utf8'));
    return Array.isArray(read) ? read.filter((one) => typeof one === 'string' && isAbsolute(one)) : [];
  } catch {
    return [];
  }
}
