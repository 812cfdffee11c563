import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection, Session } from '../../activities/publish/ports.js';
import { fail } from '../../model/failure.js';
import { shownAnywhere } from '../http/request.js';
import { gitCommand, gitVariables, protocolOf } from '../git/command.js';
import { gitAddressRelative } from './errors.js';
import { judgeGit } from './judge.js';

export interface Git {
  /** Address without user and password. */
  readonly shown: string;
  /** Returns git's output. Throws a coded failure for a non-zero exit.
   * @param what for messages: "a look at its tags" */
  ask(what: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  /** Like `ask`, but returns a failure with git's stderr. */
  tryTo(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Said>;
}
interface Said {
  readonly ok: boolean;
  readonly out: string;
  readonly words: string;
}

const REMOTE = /^(\/|file:\/\/|https?:\/\/|ssh:\/\/|git:\/\/|[\w.-]+@[\w.-]+:|[\w-]+\.[\w.-]+:)/;

/** Opens a scratch repository of this attempt with the target as its only remote. It ignores all settings, and git
 * never prompts: credentials come from the environment. */
export async function openGit(to: Connection, session: Session): Promise<Git> {
  if (!REMOTE.test(to.address)) throw fail(gitAddressRelative(to.name, to.address));
  const folder = join(session.folder, 'git');
  await mkdir(folder, { recursive: true });
  const shown = shownAnywhere(to.address);
  const protocols = [protocolOf(to.address)];
  const own = { ...gitVariables(protocols), GIT_SSH_COMMAND: 'ssh -oBatchMode=yes' };
  const base = session.env({ ...own, ...(await credentials(to, folder)) });
  const tryTo: Git['tryTo'] = (args, env = {}) =>
    run(session, folder, gitCommand(args, protocols), { ...base, ...env });
  const ask: Git['ask'] = async (what, args, env) => {
    const { ok, out, words } = await tryTo(args, env);
    if (!ok) throw fail(judgeGit(to.name, shown, what, words));
    return out;
  };
  const repository = join(folder, 'repository');
  const within = [`--git-dir=${repository}`];
  await ask('a repository of its own', ['init', '-q', '--bare', repository]);
  await ask('a remote', [...within, 'config', 'remote.origin.url', to.address]);
  return {
    shown,
    ask: (what, args, env) => ask(what, [...within, ...args], env),
    tryTo: (args, env) => tryTo([...within, ...args], env),
  };
}

/** Git runs a program to get user and password. This program reads them from its environment, which process lists do
 * not show. */
async function credentials({ username, password }: Connection, folder: string): Promise<Record<string, string>> {
  if (password === null) return {};
  const program = join(folder, 'askpass');
  await writeFile(program, '#!/bin/sh\ncase "$1" in User*) echo "$GIT_USERNAME" ;; *) echo "$GIT_PASSWORD" ;; esac\n');
  await chmod(program, 0o700);
  return { GIT_ASKPASS: program, GIT_USERNAME: username ?? '', GIT_PASSWORD: password };
}

async function run(
  session: Session,
  folder: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Said> {
  const [out, words] = [join(folder, 'out'), join(folder, 'words')];
  const line = 'out=$1; words=$2; shift 2; exec "$@" > "$out" 2> "$words"';
  const { code } = await session.exec(['sh', '-c', line, 'sh', out, words, ...argv], { env });
  const said = { ok: code === 0, out: await readFile(out, 'utf8'), words: await readFile(words, 'utf8') };
  session.log.write(said.words);
  return said;
}
