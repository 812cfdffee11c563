import { spawnSync } from 'node:child_process';

type Argv = readonly [string, ...string[]];

const BWRAP: Argv = ['/usr/bin/bwrap', '--dev-bind', '/', '/', '--unshare-net', '--unshare-pid', '--'];
/** Runs two programs. If either ends, both end: the process namespace ends with its first program. */
const WITH_NGINX = '("$1" -e "$2" -p "$3" -c nginx.conf; kill -9 $$) & shift 3; exec "$@"';

/** Returns a sentence that says why this machine has no namespace for the server. Null if it has. */
export function namespaceRefusal(): string | null {
  if (process.platform !== 'linux') return `namespaces are for Linux, and this is ${process.platform}`;
  const { status, error, stderr } = spawnSync(BWRAP[0], [...BWRAP.slice(1), 'true'], { encoding: 'utf8', cwd: '/' });
  if (error) return `${BWRAP[0]} is not there: \`apt-get install bubblewrap\` as root`;
  return status === 0 ? null : `bubblewrap cannot make namespaces here: ${stderr.trim().split('\n')[0]}`;
}

export const unprotected = (why: string): string =>
  `Temporal is not protected: every user of this machine can reach its port (${why})`;

/** Command line of a program with an nginx beside it, which reads nginx.conf in the folder.
 * @param sealed whether both run in a network and process namespace, where the program's ports are out of reach */
export const withNginx = (folder: string, log: string, argv: readonly string[], sealed: boolean): Argv => {
  const [first, ...rest] = [...(sealed ? BWRAP : []), '/bin/sh', '-c', WITH_NGINX, 'sh'];
  return [first!, ...rest, '/usr/sbin/nginx', log, folder, ...argv];
};
