import { accessSync, closeSync, constants, existsSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { BROUGHT } from '../../model/programs.js';
import { entriesIn } from '../folder-entries.js';

type Env = Readonly<Record<string, string | undefined>>;

/** System folders that every program may read. */
export const ROOTS = ['/usr', '/etc', '/opt', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store'];

/** Folders beside a `bin` folder that its programs need. */
const BESIDE_BIN = ['lib', 'lib64', 'libexec', 'include'];
/** Variables that name certificates and toolchains. */
const NAMED = ['JAVA_HOME', 'RUSTUP_HOME', 'GOROOT', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'PIP_CERT'];
const NAMED_TOO = ['REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS', 'GIT_SSL_CAINFO'];

/** PATH folders that steps do not get: shims choose a program by the working folder, the others belong to npm. */
const NOT_OF_STEPS = /\/(shims|node_modules\/\.bin|node-gyp-bin)\/?$/;
/** The kernel reads no more of a first line. */
const LONGEST_INTERPRETER = 256;

export const isBelow = (path: string, folder: string): boolean => `${path}/`.startsWith(`${folder}/`);

export interface Hidden {
  /** `SLIPWAY_HOME`: nothing below it is visible either. */
  readonly home: string;
  /** The home of the worker's user. Toolchains may be installed below it. */
  readonly user?: string | undefined;
}

/** Returns toolchain folders outside the system's: Slipway's tools, PATH, Pythons, JDK and rustup. */
export function toolchainFolders(toolsBin: string, env: Env, { home, user }: Hidden): readonly string[] {
  const root = env['PYENV_ROOT'] ?? join(env['HOME'] ?? '/', '.pyenv');
  const pyenv = join(root, 'versions');
  const onPath = (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder.startsWith('/') && existsSync(folder) && !NOT_OF_STEPS.test(folder))
    .filter((folder) => !isBelow(folder, root) || isBelow(folder, pyenv));
  const rustup = join(env['HOME'] ?? '/', '.rustup');
  const brought = Object.values(BROUGHT).flatMap(({ variables }) => variables);
  const named = [...NAMED, ...NAMED_TOO, ...brought].flatMap((name) => env[name]?.split(delimiter) ?? []);
  const wanted = [
    dirname(toolsBin),
    ...interpretersOf(toolsBin).flatMap((python) => [...withBeside(dirname(python)), ...prefixesOf(python)]),
    ...onPath.flatMap((folder) => [...withBeside(folder), ...linkedFrom(folder)]),
    ...[pyenv, rustup, ...named],
  ];
  const opens = (path: string): boolean =>
    isBelow(home, path) || isBelow(path, home) || (user !== undefined && isBelow(user, path));
  const allowed = wanted.filter((path) => existsSync(path) && !inRoots(path) && !opens(path));
  return [...new Set(allowed)].filter((path, _, all) => !all.some((other) => other !== path && isBelow(path, other)));
}

const inRoots = (path: string): boolean => ROOTS.some((root) => isBelow(path, root));

const withBeside = (bin: string): readonly string[] =>
  existsSync(join(dirname(bin), 'pyvenv.cfg'))
    ? [dirname(bin)]
    : [bin, ...BESIDE_BIN.map((name) => join(dirname(bin), name))];

/** The folder's own Python, and those in its scripts' first lines: scripts of a copied folder still name the
 * original. */
const interpretersOf = (bin: string): readonly string[] => [
  ...new Set([join(bin, 'python'), ...entriesIn(bin).flatMap((entry) => interpreterOf(join(bin, entry.name)) ?? [])]),
];

function interpreterOf(script: string): string | null {
  if (!(statSync(script, { throwIfNoEntry: false })?.isFile() ?? false)) return null;
  const start = Buffer.alloc(LONGEST_INTERPRETER);
  const file = openSync(script, 'r');
  try {
    readSync(file, start);
  } finally {
    closeSync(file);
  }
  return /^#!\s*(\/\S+)/.exec(start.toString('latin1'))?.[1] ?? null;
}

/** Folders of installed programs to which links in a PATH folder lead. */
const linkedFrom = (folder: string): readonly string[] =>
  entriesIn(folder)
    .filter((entry) => entry.isSymbolicLink())
    .flatMap(({ name }) => prefixesOf(join(folder, name)));

/** The real folder of a program and its siblings. Empty if there is none. */
function prefixesOf(program: string): readonly string[] {
  try {
    const real = realpathSync(program);
    return inRoots(real) ? [] : withBeside(dirname(real));
  } catch {
    return [];
  }
}

/** Returns files and folders below `root` that only this process's user may read: keys, password files. */
export function privateParts(root: string, depth: number): readonly { readonly path: string; readonly dir: boolean }[] {
  return entriesIn(root).flatMap((entry) => {
    const path = join(root, entry.name);
    const dir = entry.isDirectory();
    if (!dir && !entry.isFile()) return [];
    if (!othersMayRead(path, dir))
      return mayAccess(path, constants.R_OK) && holdsSomething(path, dir) ? [{ path, dir }] : [];
    return dir && depth > 1 ? privateParts(path, depth - 1) : [];
  });
}

function othersMayRead(path: string, dir: boolean): boolean {
  const { mode } = statSync(path, { throwIfNoEntry: false }) ?? { mode: 0o777 };
  return dir ? (mode & 0o005) === 0o005 : (mode & 0o004) !== 0;
}

const holdsSomething = (path: string, dir: boolean): boolean =>
  dir || (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** @param how what the process asks for: `constants.R_OK` */
export function mayAccess(path: string, how: number): boolean {
  try {
    accessSync(path, how);
    return true;
  } catch {
    return false;
  }
}
