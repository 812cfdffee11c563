import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cell } from '../../activities/ports.js';
import { BUILD_ROOT } from '../../model/build-root.js';
import { home, packageRoot, toolsBin } from '../home.js';
import { isBelow, privateParts, ROOTS, toolchainFolders } from './toolchain.js';

type Argv = readonly string[];

type Env = Readonly<Record<string, string>>;

export interface Sandbox {
  /** Returns the program that makes the sandbox, and its environment: see `carried`.
   * @param statusFd descriptor for the pid of the sandbox's first process, as JSON */
  wrap(argv: Argv, at: { readonly cwd: string; readonly env: Env }, cell: Cell, statusFd?: number): Boxed;
}

export interface Boxed {
  readonly argv: Argv;
  readonly env: Env;
}

export interface SandboxFacts {
  readonly toolsBin: string;
  /** `SLIPWAY_HOME`: store, caches, logs and the folders of other runs. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user that starts the programs. Default: this process's own. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

const BWRAP = '/usr/bin/bwrap';
const UNSHARE = '/usr/bin/unshare';
/** Root-owned kernel settings in /proc, which a program of the root user could change. */
const KERNEL = ['/proc/sys', '/proc/irq', '/proc/bus', '/proc/fs', '/proc/sysrq-trigger', '/proc/mtrr'];
/** Refuses the keyrings of the user, and sockets to the host of a virtual machine: no namespace has them. tools/sandbox
 * writes it. */
const FILTER = join(packageRoot(), 'config', 'sandbox', `${process.arch}.bpf`);
const FILTERED = ['/bin/sh', '-euc', 'exec 9< "$0"; exec "$@"', FILTER, BWRAP, '--seccomp', '9'];
const LOOK_INTO = [
  ['/etc', 4],
  ['/opt', 2],
] as const;

/** Layers need not survive a power cut: `volatile` (Linux 5.10) skips the sync at unmount. */
const LAYER_OPTIONS = ['index=off,volatile', 'index=off'];

/** Arguments: lower folder, upper folder, overlay work folder, options; then the program. */
const LAYER = `mount -t overlay -o "lowerdir=$1,upperdir=$2,workdir=$3,$4" overlay "$1"; shift 4; exec "$@"`;

const CARRIED = 'SLIPWAY_CARRIED_';
/** Exports the variables that `carried` renamed, then becomes the program. A shell may refuse a name of its own. */
const RESTORE = `at_=0
while eval "[ \\"\\\${${CARRIED}$at_+set}\\" ]"; do
  eval "command export \\"\\$${CARRIED}$at_\\" || :; unset ${CARRIED}$at_"
  at_=$((at_ + 1))
done
unset at_
exec "$@"`;

/** Renames the variables of a step for the programs that make the sandbox. These run outside of it, and the loader of each would
 * obey LD_PRELOAD. */
const carried = (env: Env): Env => ({
  PATH: '/usr/bin:/bin',
  ...Object.fromEntries(Object.entries(env).map(([name, value], at) => [`${CARRIED}${at}`, `${name}=${value}`])),
});

/** Returns the sandbox of this machine for this user, or a sentence that says why there is none. */
export function findSandbox(
  facts: SandboxFacts = { toolsBin: toolsBin(), home: home(), env: process.env },
): Sandbox | string {
  if (facts.env['SLIPWAY_SANDBOX'] === 'none') return 'SLIPWAY_SANDBOX=none is set for this worker';
  if (process.platform !== 'linux') return `bubblewrap is for Linux, and this is ${process.platform}`;
  if (!existsSync(BWRAP)) return `${BWRAP} is not there: \`apt-get install bubblewrap\` as root`;
  const view = viewOf(facts);
  const folder = mkdtempSync(join(tmpdir(), 'slipway-sandbox-'));
  give(folder, facts);
  try {
    const why = refusal(create(view, facts, null), folder, facts, false);
    if (why !== null) return `bubblewrap cannot make namespaces here: ${why}`;
    const layers = existsSync(UNSHARE) ? LAYER_OPTIONS : [];
    const works = layers.find((options) => refusal(create(view, facts, options), folder, facts, true) === null);
    return create(view, facts, works ?? null);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param layers options of an overlay over a cache. Null: overlays fail here, and a program without write access to
 * a cache sees an empty one. */
function create(view: Argv, { user }: SandboxFacts, layers: string | null): Sandbox {
  const { uid, gid } = user ?? { uid: process.getuid!(), gid: process.getgid!() };
  const own = ['--unshare-user', '--uid', String(uid), '--gid', String(gid)];
  const apart = ['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--cap-drop', 'ALL', '--die-with-parent'];
  return {
    wrap: (argv, { cwd, env }, cell, statusFd) => ({
      argv: [
        ...(layers === null ? [] : layered(cell, uid, layers)),
        ...[...(existsSync(FILTER) ? FILTERED : [BWRAP]), ...own, ...apart],
        ...(cell.network ? resolver() : ['--unshare-net']),
        ...['--bind', cell.tmp, '/tmp', ...view],
        ...cell.folders.flatMap((shown) => mounted(shown, layers !== null)),
        ...(statusFd === undefined ? [] : ['--json-status-fd', String(statusFd)]),
        ...['--chdir', cwd, '--', '/bin/sh', '-euc', RESTORE, 'sh', ...argv],
      ],
      env: carried(env),
    }),
  };
}

/** Mounts an overlay with the private folder over the shared one, in a new mount namespace. Without root this needs
 * a user namespace. */
function layered({ folders }: Cell, uid: number, options: string): Argv {
  const shown = folders.find(({ layer }) => layer !== undefined);
  if (shown === undefined) return [];
  const [upper, own] = layerFolders(shown.layer!);
  const user = uid === 0 ? [] : ['--user', '--map-root-user'];
  const lay = [shown.folder, upper, own, uid === 0 ? options : `${options},userxattr`];
  return [UNSHARE, ...user, '--mount', '/bin/sh', '-eu', '-c', LAYER, 'sh', ...lay];
}

/** Returns the upper folder, which all mounts share, and a work folder for this mount: two programs may run at once. */
export function layerFolders(layer: string): readonly [upper: string, own: string] {
  const upper = join(layer, 'upper');
  // A container may have laid a link, which the mount would follow.
  for (const path of [layer, upper]) if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(path);
  mkdirSync(upper, { recursive: true });
  return [upper, mkdtempSync(join(layer, 'work-'))];
}

function mounted({ folder, name, readOnly, layer }: Cell['folders'][number], layers: boolean): Argv {
  if (layer !== undefined && !layers) return ['--bind', layerFolders(layer)[0], name];
  return [readOnly ? '--ro-bind' : '--bind', folder, name];
}

/** /etc/resolv.conf may be a link into /run, which the sandbox lacks. */
function resolver(): Argv {
  try {
    const real = realpathSync('/etc/resolv.conf');
    return isBelow(real, '/etc') ? [] : ['--ro-bind-try', real, real];
  } catch {
    return [];
  }
}

/** Arguments for the read-only view of system and toolchain, without private files. */
function viewOf({ toolsBin, home, env }: SandboxFacts): Argv {
  const covered = [home, env['HOME'] ?? home].filter((path) => ROOTS.some((root) => isBelow(path, root)));
  return [
    ...ROOTS.filter((path) => existsSync(path)).flatMap(shownRoot),
    ...LOOK_INTO.flatMap(([root, depth]) => privateParts(root, depth)).flatMap(({ path, dir }) =>
      dir ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path],
    ),
    ...[...covered, ...(existsSync(BUILD_ROOT) ? [BUILD_ROOT] : [])].flatMap((path) => ['--tmpfs', path]),
    ...toolchainFolders(toolsBin, env, { home, user: env['HOME'] }).flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--proc', '/proc', '--dev', '/dev', '--dir', '/var/tmp'],
    ...KERNEL.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]),
  ];
}

const shownRoot = (path: string): Argv =>
  lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];

/** The folder is in /tmp: nobody but the user that starts the programs may lay a link into it. */
const give = (path: string, { user }: SandboxFacts): void => user && lchownSync(path, user.uid, user.gid);

/** Runs a program in the sandbox. Returns the first line of its error. Null if it works. */
function refusal(sandbox: Sandbox, folder: string, facts: SandboxFacts, layer: boolean): string | null {
  const { user } = facts;
  const cache = { folder, name: folder, ...(layer && { layer: join(folder, 'layer') }) };
  const cell = { network: false, tmp: folder, folders: [cache] };
  const line = ['/bin/sh', '-c', 'id -u; echo > written'];
  const { argv, env } = sandbox.wrap(line, { cwd: folder, env: { PATH: '/usr/bin:/bin' } }, cell);
  if (layer) for (const name of readdirSync(cache.layer!)) give(join(cache.layer!, name), facts);
  const { status, stdout, stderr } = spawnSync(argv[0]!, argv.slice(1), { ...user, env, encoding: 'utf8', cwd: '/' });
  const uid = user?.uid ?? process.getuid!();
  if (status === 0 && stdout === `${uid}\n`) return null;
  return (stderr ?? '').trim().split('\n')[0] || `status ${status}`;
}
