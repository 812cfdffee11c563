import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { gitCommand, gitVariables } from './command.js';

const run = promisify(execFile);
const LONGEST_ANSWER_BYTES = 64 * 1_048_576;

const environment = (): NodeJS.ProcessEnv => ({
  ...gitVariables(),
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
});

/** Returns git's output as text. Runs in the root folder, so that git finds no checkout there. Rejects on a non-zero
 * exit status. */
export async function runGit(args: readonly string[]): Promise<string> {
  const [program, ...rest] = gitCommand(args);
  try {
    return (await run(program!, rest, { cwd: '/', env: environment(), maxBuffer: LONGEST_ANSWER_BYTES })).stdout;
  } catch (error) {
    throw (error as { code?: unknown }).code === 'ENOENT' ? new GitStopped('there is no program git on PATH') : error;
  }
}

/** Like `runGit`, with input, and as bytes. */
export async function runGitWith(input: string, args: readonly string[], mostBytes: number): Promise<Buffer> {
  const [program, ...rest] = gitCommand(args);
  const started = run(program!, rest, { cwd: '/', env: environment(), maxBuffer: mostBytes, encoding: 'buffer' });
  started.child.stdin?.on('error', () => undefined).end(input); // its exit status says why it stopped reading
  return (await started).stdout;
}

/** Streams git's output. Rejects with the first line of stderr on a non-zero exit status. */
export async function* streamGit(args: readonly string[], cwd: string): AsyncIterable<Uint8Array> {
  const [program, ...rest] = gitCommand(args);
  const child = spawn(program!, rest, { cwd, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text: Buffer) => (said = `${said}${text.toString()}`.slice(-2000)));
  const ended = new Promise<number | null>((done, refuse) => child.once('error', refuse).once('close', done));
  yield* child.stdout as AsyncIterable<Uint8Array>;
  if ((await ended) !== 0) throw new GitStopped(said.trim().split('\n')[0] || 'git ended without a word');
}

export class GitStopped extends Error {
  override readonly name = 'GitStopped';
}
