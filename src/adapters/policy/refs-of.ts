import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fail } from '../../model/failure.js';
import type { Refs } from '../../plan/policy/commit.js';
import { gitCommand, gitVariables, protocolOf } from '../git/command.js';
import { repositoryUnknown } from './errors.js';
import { temporaryFolder } from '../temporary-folder.js';

const HELD_MS = 5 * 60_000;
const LIMIT_MS = 10 * 60_000;
const run = promisify(execFile);

/** Asks a repository by git which branches contain a commit and which tags point at it. Caches answers for five
 * minutes. */
export function createRefsOf(): (repository: string, commit: string) => Promise<Refs> {
  const known = new Map<string, { readonly atMs: number; readonly refs: Promise<Refs> }>();
  return (repository, commit) => {
    const key = `${commit} ${repository}`;
    const before = known.get(key);
    if (before !== undefined && performance.now() - before.atMs < HELD_MS) return before.refs;
    const refs = ask(repository, commit);
    known.set(key, { atMs: performance.now(), refs });
    refs.catch(() => known.delete(key));
    return refs;
  };
}

async function ask(repository: string, commit: string): Promise<Refs> {
  await using folder = await temporaryFolder('policy');
  const protocols = [protocolOf(repository)];
  const git = async (...argv: readonly string[]): Promise<string> => {
    const [program, ...args] = gitCommand([`--git-dir=${join(folder.path, 'refs.git')}`, ...argv], protocols);
    const env = { ...quiet(folder.path), ...gitVariables(protocols) };
    return (await run(program!, args, { env, timeout: LIMIT_MS, maxBuffer: 64 * 2 ** 20 })).stdout;
  };
  try {
    await git('init', '-q', '--bare');
    const all = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
    await git('fetch', '-q', '--no-tags', '--filter=tree:0', '--end-of-options', repository, ...all);
    const isThere = await git('cat-file', '-e', `${commit}^{commit}`).then(
      () => true,
      () => false,
    );
    if (!isThere) return { branches: [], tags: [] };
    return {
      branches: lines(await git('for-each-ref', '--format=%(refname:lstrip=2)', `--contains=${commit}`, 'refs/heads')),
      tags: lines(await git('for-each-ref', '--format=%(refname:lstrip=2)', `--points-at=${commit}`, 'refs/tags')),
    };
  } catch (error) {
    throw fail(repositoryUnknown(repository.replace(/\/\/[^/]*@/, '//'), lastLine(error)), error);
  }
}

const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');
const lastLine = (error: unknown): string =>
  lines(String((error as { stderr?: unknown }).stderr ?? error))
    .at(-1)
    ?.trim() ?? 'git said nothing';

/** Environment without any user's settings. @param folder an empty home */
const quiet = (folder: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  ...(process.env['SSH_AUTH_SOCK'] && { SSH_AUTH_SOCK: process.env['SSH_AUTH_SOCK'] }),
  ...(process.env['GIT_SSL_CAINFO'] && { GIT_SSL_CAINFO: process.env['GIT_SSL_CAINFO'] }),
  HOME: folder,
  GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
});
