import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { keepJson } from '../json-file.js';
import { gitCommand, gitVariables, protocolOf } from './command.js';

const LIMIT_MS = 120_000;
const MOST_BYTES = 16 * 1_048_576;
/** Tries while another process holds a lock file. */
const TRIES = 10;
const LOCKED_MS = 200;
/** Each fetch leaves a pack. With more of them the repository is fetched anew. */
const MOST_PACKS = 100;

/** Variables that lead git to the user's keys, certificates and proxies. */
const TAKEN = /^(HOME|PATH|SSH_AUTH_SOCK|GIT_SSL_CAINFO|SSL_CERT_(FILE|DIR)|(https?|all|no)_proxy)$/i;

/** Git's words about an address that it could not read. */
export class GitRefused extends Error {
  override readonly name = 'GitRefused';
}

/** Commits of branches, by name. */
export type Branches = Readonly<Record<string, string>>;

/** Reads a repository of another machine. Rejects with GitRefused. */
export interface Remote {
  branches(): Promise<Branches>;
  /** Returns a bare repository that has the commit. */
  holding(commit: string): Promise<string>;
}

/** Opens an address. Credentials come from the user's netrc or keys; git never asks.
 * @param folder where fetched commits stay
 * @param offline only what was read before */
export function openRemote(address: string, folder: string, offline: boolean): Remote {
  const database = join(folder, 'repository.git');
  const known = join(folder, 'branches.json');
  const git = (...args: readonly string[]): Promise<string> => run(address, args);
  const within = (...args: readonly string[]): Promise<string> => git(`--git-dir=${database}`, ...args);
  return {
    async branches() {
      if (offline) return JSON.parse(await readFile(known, 'utf8').catch(refuseOffline)) as Branches;
      const branches = branchesIn(await git('ls-remote', '--quiet', '--heads', '--', address));
      await keepJson(known, branches);
      return branches;
    },
    async holding(commit) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await git('init', '--quiet', '--bare', database);
      const isThere = (): Promise<unknown> => within('cat-file', '-e', `${commit}^{commit}`);
      await isThere().catch(async () => {
        if (offline) refuseOffline();
        await fetchCommit(address, database, commit);
        await isThere();
      });
      return database;
    },
  };
}

/** Fetches one reference of an address into a repository, there under another name. Returns its commit. Rejects with GitRefused.
 * @param database git's own folder of the repository */
export async function fetchReference(address: string, database: string, from: string, to: string): Promise<string> {
  const within = (...args: readonly string[]): Promise<string> => run(address, [`--git-dir=${database}`, ...args]);
  await within('fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--', address, `+${from}:${to}`);
  return (await within('rev-parse', '--verify', '--end-of-options', `${to}^{commit}`)).trim();
}

/** Fetches one commit alone. If the server refuses commits by their hash, fetches all branches. */
async function fetchCommit(address: string, database: string, commit: string): Promise<void> {
  if ((await readdir(join(database, 'objects', 'pack'))).length > 2 * MOST_PACKS) {
    await rm(database, { recursive: true, force: true });
    await run(address, ['init', '--quiet', '--bare', database]);
  }
  const packed = ['-c', 'fetch.unpackLimit=1', 'fetch', '--quiet', '--no-tags', '--depth=1', '--', address];
  const fetch = (what: string): Promise<string> => run(address, [`--git-dir=${database}`, ...packed, what]);
  await fetch(`+${commit}:refs/commits/${commit}`).catch(() => fetch('+refs/heads/*:refs/heads/*'));
}

function refuseOffline(): never {
  throw new GitRefused('it was not read before, and --offline asks nobody');
}

const branchesIn = (text: string): Branches =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, commit, branch] = /^([0-9a-f]{40,64})\trefs\/heads\/(.+)$/.exec(line) ?? [];
      return commit === undefined ? [] : [[branch!, commit] as const];
    }),
  );

async function run(address: string, args: readonly string[], left = TRIES): Promise<string> {
  const protocols = [protocolOf(address)];
  const [program, ...rest] = gitCommand(args, protocols);
  const own = Object.entries(process.env).filter(([name]) => TAKEN.test(name));
  const env = {
    ...Object.fromEntries(own),
    ...gitVariables(protocols),
    ...{ GIT_SSH_COMMAND: 'ssh -oBatchMode=yes', LANG: 'C.UTF-8' },
  };
  try {
    return (await promisify(execFile)(program!, rest, { cwd: '/', env, timeout: LIMIT_MS, maxBuffer: MOST_BYTES }))
      .stdout;
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string };
    if (left > 1 && /\.lock': File exists/.test(stderr)) {
      await pause(LOCKED_MS);
      return run(address, args, left - 1);
    }
    throw new GitRefused(stderr.trim() || message.split('\n')[0]);
  }
}
