import { existsSync, rmSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { serviceSecret } from '../../adapters/home-keys/service-secrets.js';
import { fail } from '../../model/failure.js';
import { ask, basic } from '../ask.js';
import { indexRefused } from '../errors.js';
import { keepSecret } from '../files.js';
import { logFile, secretsFolder } from '../folders.js';
import { run } from '../run.js';
import { plain, type Service } from '../service.js';
import { clearSocket, socketOf } from '../engine-folder.js';
import type { Context } from './context.js';

/** Weakens devpi's key stretching, which takes 4 s and 512 MiB at each start. It only helps secrets that people
 * choose; this one has 256 random bits. */
const QUICK_KEY = ['--argon2-time-cost', '1', '--argon2-memory-cost', '1024', '--argon2-parallelism', '1'];

/** The Python index: devpi behaves like PyPI and refuses other bytes under a published name. */
export function devpi(context: Context): Service {
  const folder = join(context.home, 'devpi');
  const socket = socketOf(context.home, 'devpi');
  const address = `unix://${socket}`;
  let isRefused = false;
  return {
    ...plain,
    name: 'devpi',
    prepare: async () => {
      await firstDay(context, folder);
      if (isRefused) await changePassword(context, folder);
      clearSocket(socket);
    },
    launch: () => ({
      argv: [
        join(context.toolsBin, 'devpi-server'),
        ...['--serverdir', folder, '--unix-socket', socket, '--restrict-modify', USER],
        ...['--threads', '8', '--secretfile', secretFile(context.home), ...QUICK_KEY],
      ],
      env: { PYTHONWARNINGS: 'ignore' },
    }),
    answers: async () => (await ask(address, '/+api'))?.status === 200,
    settle: async () => {
      const token = await login(address, publishSecret(context));
      isRefused = token === null;
      if (token === null) throw fail(indexRefused('the login of root', 401));
      await setUpIndex(address, token);
    },
    state: (pid) => ({ pid, address, log: logFile(context.home, 'devpi') }),
  };
}

const USER = 'root';
/** Path of the index: devpi's indexes belong to users. */
export const INDEX = `/${USER}/release`;

const secretFile = (home: string): string => join(secretsFolder(home), 'devpi');

/** Password of root, which uploads and makes indexes. */
export const publishSecret = ({ keys }: Pick<Context, 'keys'>): string => serviceSecret(keys, 'publish')!;

/** Passes a hash, because every user can read the arguments of a process. The hash of 256 random bits reveals
 * nothing. */
const HASH = "import os, devpi_server.auth as auth; print(auth.hash_password(os.environ['SLIPWAY_INDEX_PASSWORD']))";

/** The program asks twice at a terminal for the password. */
const PASSWD = `import getpass, os, sys
from devpi_server.passwd import passwd
getpass.getpass = lambda prompt: os.environ['SLIPWAY_INDEX_PASSWORD']
sys.exit(passwd())`;

/** Gives root the secret of now: the former one may be lost. The server must not run. */
async function changePassword(context: Context, folder: string): Promise<void> {
  const { code, stderr } = await withPassword(context, PASSWD, '--serverdir', folder, USER);
  if (code !== 0) throw refusal('devpi-passwd', code, stderr);
}

/** Runs a program of Python that knows the password of root. */
const withPassword = (context: Context, ...program: readonly string[]): ReturnType<typeof run> =>
  run(join(context.toolsBin, 'python'), ['-c', ...program], 60_000, {
    ...process.env,
    SLIPWAY_INDEX_PASSWORD: publishSecret(context),
  });

const refusal = (what: string, code: number, stderr: string): Error =>
  fail({ ...indexRefused(what, code), evidence: stderr.trimEnd().split('\n').slice(-6) });

/** Initialises the folder under another name and renames it, so that an existing folder is complete. */
async function firstDay(context: Context, folder: string): Promise<void> {
  const { home, toolsBin } = context;
  keepSecret(secretFile(home));
  if (existsSync(folder)) return;
  const half = `${folder}.half`;
  rmSync(half, { recursive: true, force: true });
  const hash = await withPassword(context, HASH);
  const password = ['--no-root-pypi', '--root-passwd-hash', hash.stdout.trim()];
  const { code, stderr } = await run(join(toolsBin, 'devpi-init'), ['--serverdir', half, ...password], 120_000);
  if (code !== 0) throw refusal('devpi-init', code, stderr);
  renameSync(half, folder);
}

/** Returns a token for one day. Null if the password is refused. */
export async function login(address: string, password: string): Promise<string | null> {
  const answer = await ask(address, '/+login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user: USER, password }),
  });
  if (answer?.status !== 200) return null;
  return (JSON.parse(answer.body) as { result?: { password?: string } }).result?.password ?? null;
}

/** Creates the index, or changes one of an older version. By default devpi takes test results from everyone. */
async function setUpIndex(address: string, token: string): Promise<void> {
  const isThere = (await ask(address, INDEX))?.status === 200;
  const created = { type: 'stage', volatile: false, bases: [], acl_toxresult_upload: [USER] };
  const method = isThere ? 'PATCH' : 'PUT';
  const answer = await ask(address, INDEX, {
    method,
    headers: { 'content-type': 'application/json', 'x-devpi-auth': basic(USER, token).slice('Basic '.length) },
    body: JSON.stringify(isThere ? [`acl_toxresult_upload=${USER}`] : created),
  });
  if (answer?.status !== 200) throw fail(indexRefused(`${method} ${INDEX}`, answer?.status ?? 0));
}
