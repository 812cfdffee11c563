import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../adapters/home.js';
import { fail } from '../../model/failure.js';
import { databaseUrl, passwordFile, POSTGRES_USERS, postgresPassword } from '../database-url.js';
import { postgresRefused } from '../errors.js';
import { keepSecret } from '../files.js';
import { logFile } from '../folders.js';
import { run } from '../run.js';
import { plain, type Service } from '../service.js';
import type { Context } from './context.js';

const VERSIONS = '/usr/lib/postgresql';
/** Home of the user `postgres` of Debian's package. */
const PRIVATE = '/var/lib/postgresql';

/** Small: one person asks, and everything in it can be made again from the store. */
const SETTINGS = {
  listen_addresses: '',
  // The server is in the folder of its data. An absolute path may be too long for a socket.
  unix_socket_directories: '..',
  unix_socket_permissions: '0700',
  shared_buffers: '16MB',
  max_connections: '50',
  authentication_timeout: '10s',
};

/** The rule by which the two logins may log in, by a socket that no other user reaches. It is written last, so it says that the server is set up. */
const LOGINS = `local postgres ${POSTGRES_USERS.join(',')} scram-sha-256\n`;

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
  const { home } = context;
  const folder = join(home, 'postgres');
  const mounted = context.isRoot ? PRIVATE : folder;
  const as = (argv: readonly string[]): readonly [string, ...string[]] =>
    context.isRoot ? ['unshare', '--mount', 'sh', '-euc', AS_POSTGRES, 'sh', folder, ...argv] : (argv as [string]);
  return {
    ...plain,
    name: 'postgres',
    prepare: async () => {
      for (const user of POSTGRES_USERS) keepSecret(passwordFile(home, user));
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (context.isRoot) await ran(['chown', 'postgres:postgres', folder]);
      const place = { home, folder, mounted, version, as };
      if (!existsSync(join(folder, version))) await initialise(place);
      if (readFileSync(join(folder, version, 'pg_hba.conf'), 'utf8') !== LOGINS) await setUp(place);
    },
    launch: () => ({
      argv: as([
        program(version, 'postgres'),
        ...['-D', join(mounted, version)],
        ...Object.entries(SETTINGS).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
      ]),
      scrubbed: true,
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' },
    }),
    answers: () => answers(databaseUrl(home, folder)),
    state: (pid) => ({ pid, address: folder, log: logFile(home, 'postgres') }),
  };
}

/** The home is closed to other users. A mount that only this process sees opens one folder of it to `postgres`. */
const AS_POSTGRES = `mount --bind "$1" ${PRIVATE}
cd ${PRIVATE}
shift
exec setpriv --reuid=postgres --regid=postgres --clear-groups --no-new-privs -- "$@"`;

async function answers(url: string): Promise<boolean> {
  const { openReader } = await import('../../adapters/history/database.js');
  const client = await openReader(url).catch(() => null);
  await client?.end().catch(() => undefined);
  return client !== null;
}

/** Initialises the database under another name and renames it, so that an existing folder is complete. */
async function initialise({ folder, mounted, version, as }: Place): Promise<void> {
  const half = `${version}.half`;
  rmSync(join(folder, half), { recursive: true, force: true });
  const options = ['--auth=reject', '--locale=C.UTF-8', '--encoding=UTF8', '--username=postgres'];
  await ran(as([program(version, 'initdb'), '-D', join(mounted, half), ...options]));
  renameSync(join(folder, half), join(folder, version));
}

/** Makes the two logins, also in a database from before, whose `slipway` was a superuser. No password can do that. */
async function setUp({ folder, mounted, version, as, home }: Place): Promise<void> {
  const text = readFileSync(join(packageRoot(), 'config', 'sql', 'set-up.sql'), 'utf8')
    .replace('OWNER_PASSWORD', postgresPassword(home))
    .replace('READER_PASSWORD', postgresPassword(home, 'slipway_reader'));
  const [sql, data] = ['set-up.sql', join(mounted, version)];
  const quiet = ['-c', 'log_min_error_statement=panic'];
  try {
    await give(folder, sql, text);
    const argv = [program(version, 'postgres'), '--single', '-j', ...quiet, '-D', data, 'postgres'];
    const said = await ran(as(['sh', '-c', 'exec < "$0"; exec "$@"', join(mounted, sql), ...argv]));
    if (!said.includes('"slipway is set up"')) throw fail(postgresRefused(said.slice(-500)));
  } finally {
    rmSync(join(folder, sql), { force: true });
  }
  await give(join(folder, version), 'pg_hba.conf', LOGINS);
}

/** Writes a file for the user `postgres`, who cannot read the secrets of the home. */
async function give(folder: string, name: string, text: string): Promise<void> {
  const half = join(folder, `${name}.half`);
  rmSync(half, { force: true });
  writeFileSync(half, text, { mode: 0o600, flag: 'wx' });
  await ran(['chown', '--no-dereference', '--reference', folder, half]);
  renameSync(half, join(folder, name));
}

async function ran([first, ...rest]: readonly [string, ...string[]]): Promise<string> {
  const { code, stdout, stderr } = await run(first, rest, 120_000);
  if (code !== 0) throw fail(postgresRefused(`${first}: ${(stderr || stdout).trim().slice(-500)}`));
  return `${stdout}${stderr}`;
}

interface Place {
  readonly home: string;
  readonly folder: string;
  /** The folder, as the program sees it. */
  readonly mounted: string;
  readonly version: string;
  readonly as: (argv: readonly string[]) => readonly [string, ...string[]];
}
