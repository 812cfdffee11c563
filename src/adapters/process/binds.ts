import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bind, BUILD_ROOT } from '../../model/build-root.js';

/** Shows a program some folders under other names. No other process sees these names. */
export type Binder = (argv: readonly string[], cwd: string, binds: readonly Bind[]) => readonly string[];

/** Arguments: working folder, pairs of folder and name, `--`, program. The folder is entered last: it may lie below a name. */
const SCRIPT = `cwd=$1; shift
while [ "$1" != -- ]; do mkdir -p "$2"; mount --bind "$1" "$2"; shift 2; done
shift; cd "$cwd"; exec "$@"`;

const mounting: Binder = (argv, cwd, binds) => [
  ...['/bin/sh', '-eu', '-c', SCRIPT, 'sh', cwd],
  ...binds.flatMap(({ folder, name }) => [folder, name]),
  ...['--', ...argv],
];

const UNSHARE = '/usr/bin/unshare';
const asRoot: Binder = (argv, cwd, binds) => [UNSHARE, '--mount', ...mounting(argv, cwd, binds)];

/** A user namespace may mount as its own root. A second one inside gives the program its own user back. */
const asUser =
  (uid: number, gid: number): Binder =>
  (argv, cwd, binds) => {
    const own = [UNSHARE, '--user', `--map-user=${uid}`, `--map-group=${gid}`, ...argv];
    return [UNSHARE, '--user', '--map-root-user', '--mount', ...mounting(own, cwd, binds)];
  };

/** Returns what works on this machine for this user. Null if nothing does: no Linux, no namespaces, no mount point. */
export function findBinder(who: { readonly uid?: number; readonly gid?: number } = {}): Binder | null {
  if (process.platform !== 'linux' || !existsSync(UNSHARE) || !existsSync(BUILD_ROOT)) return null;
  const uid = who.uid ?? process.getuid?.() ?? 0;
  const gid = who.gid ?? process.getgid?.() ?? 0;
  const folder = mkdtempSync(join(tmpdir(), 'slipway-bind-'));
  chmodSync(folder, 0o755);
  try {
    return [asRoot, asUser(uid, gid)].find((binder) => works(binder, folder, { uid, gid })) ?? null;
  } finally {
    rmdirSync(folder);
  }
}

function works(binder: Binder, folder: string, who: { readonly uid: number; readonly gid: number }): boolean {
  const [program, ...rest] = binder(['/bin/sh', '-c', 'id -u; pwd'], BUILD_ROOT, [{ folder, name: BUILD_ROOT }]);
  const { status, stdout } = spawnSync(program!, rest, { ...who, encoding: 'utf8', cwd: '/' });
  return status === 0 && stdout === `${who.uid}\n${BUILD_ROOT}\n`;
}
