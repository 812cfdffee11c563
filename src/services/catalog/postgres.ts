import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import { passwordFile, POSTGRES_USER, postgresPassword } from '../database-url.js';
import { postgresRefused } from '../errors.js';
import { keepSecret, writeAtomically } from '../files.js';
import { logFile } from '../folders.js';
import { run } from '../run.js';
import { plain, type Service } from '../service.js';
import type { Context } from './context.js';

const VERSIONS = '/usr/lib/postgresql';
/** Home of the user `postgres` of Debian's package. */
const PRIVATE = '/var/lib/postgresql';

/** Small: one person asks, and everything in it can be made again from the store. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '16MB',
  max_connections: '20',
};

/** Newest version of PostgreSQL that Debian's packages installed here. Null if there is none, or if root cannot run it as
 * another user: no release needs it. */
export async function postgresVersion({ isRoot }: Pick<Context, 'isRoot'>): Promise<string | null> {
  if (isRoot && (await run('unshare', ['--mount', 'setpriv', '--reuid=postgres', 'true'])).code !== 0) return null;
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS) : [];
  const there = versions.filter((version) => existsSync(program(version, 'postgres')));
  return there.sort((a, b) => Number(b) - Number(a))[0] ?? null;
}

const program = (version: string, name: string): string => join(VERSIONS, version, 'bin', name);

/** PostgreSQL for questions about many runs. It refuses to run as root, so root runs it as the user `postgres`. */
export function postgres(context: Context, version: string): Service {
  const { home, ports } = context;
  const folder = join(home, 'postgres');
  const mounted = context.isRoot ? PRIVATE : folder;
  const as = (argv: readonly string[]): readonly [string, ...string[]] =>
    context.isRoot ? ['unshare', '--mount', 'sh', '-euc', AS_POSTGRES, 'sh', folder, ...argv] : (argv as [string]);
  return {
    ...plain,
    name: 'postgres',
    prepare: async () => {
      keepSecret(passwordFile(home));
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (context.isRoot) await ran('chown', ['postgres:postgres', folder]);
      if (!existsSync(join(folder, version))) await initialise({ home, folder, mounted, version, as });
    },
    launch: () => ({
      argv: as([
        program(version, 'postgres'),
        ...['-D', join(mounted, version), '-p', String(ports.postgres)],
        ...Object.entries(SETTINGS).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
      ]),
      scrubbed: true,
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' },
    }),
    answers: async () =>
      (await run(program(version, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(ports.postgres)], 5_000))
        .code === 0,
    state: (pid) => ({ pid, address: `127.0.0.1:${ports.postgres}`, log: logFile(home, 'postgres') }),
  };
}

/** The home is closed to other users. A mount that only this process sees opens one folder of it to `postgres`. */
const AS_POSTGRES = `mount --bind "$1" ${PRIVATE}
cd ${PRIVATE}
shift
exec setpriv --reuid=postgres --regid=postgres --clear-groups --no-new-privs -- "$@"`;

/** Initialises the database under another name and renames it, so that an existing folder is complete. */
async function initialise({ folder, mounted, version, as, home }: Place): Promise<void> {
  const [half, secret] = [`${version}.half`, 'password'];
  rmSync(join(folder, half), { recursive: true, force: true });
  // The user `postgres` cannot read the secrets of the home.
  writeAtomically(join(folder, secret), postgresPassword(home), 0o600);
  try {
    await ran('chown', ['--reference', folder, join(folder, secret)]);
    const options = ['--auth=scram-sha-256', '--locale=C.UTF-8', '--encoding=UTF8', `--username=${POSTGRES_USER}`];
    const [first, ...rest] = as([
      program(version, 'initdb'),
      ...['-D', join(mounted, half), `--pwfile=${join(mounted, secret)}`, ...options],
    ]);
    await ran(first, rest);
  } finally {
    rmSync(join(folder, secret), { force: true });
  }
  renameSync(join(folder, half), join(folder, version));
}

async function ran(first: string, rest: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await run(first, rest, 120_000);
  if (code !== 0) throw fail(postgresRefused(`${first}: ${(stderr || stdout).trim().slice(-500)}`));
}

interface Place {
  readonly home: string;
  readonly folder: string;
  /** The folder, as the program sees it. */
  readonly mounted: string;
  readonly version: string;
  readonly as: (argv: readonly string[]) => readonly [string, ...string[]];
}
