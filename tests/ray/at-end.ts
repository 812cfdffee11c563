import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { homeWithCache } from '../support/shared-cache.js';

/** Waits for the end of its input, which is the end of the process that started it. */
export const WAIT = 'cat > /dev/null';
/** Removes a folder. Processes that were told to end may still write into it.
 * @param name variable with its path */
export const remove = (name: string): string =>
  `for try in 1 2 3 4 5 6 7 8 9; do rm -rf -- "$${name}" && break; sleep 1; done`;

/** Starts a shell that outlives this process: Jest runs no `afterAll` after Ctrl-C.
 * @param lines of the shell, one of which is `WAIT`
 * @param values variables of the lines. No command line has them, because suites look for processes by such paths
 * @returns ends the wait now. Resolves when the shell has ended */
export function atEnd(lines: readonly string[], values: Readonly<Record<string, string>>): () => Promise<void> {
  const env = { ...process.env, ...values };
  const shell = spawn('sh', ['-c', lines.join('\n')], { env, detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(shell, 'exit');
  shell.unref();
  (shell.stdin as Socket).unref();
  return async () => {
    shell.ref();
    shell.stdin.end();
    await ended;
  };
}

/** A home with this checkout's caches that is gone after the suite, also after Ctrl-C. */
export async function aRayHome(): Promise<string> {
  const home = await homeWithCache();
  atEnd([WAIT, remove('OWN_HOME')], { OWN_HOME: home });
  return home;
}
