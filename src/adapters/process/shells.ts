import { spawn } from 'node:child_process';
import type { ShellSession, ShellContainer, Shells } from '../../activities/reproduce/ports.js';
import type { OutsideEngine } from '../../activities/wheels/ports.js';
import { fail } from '../../model/failure.js';
import { mountArguments } from '../docker/mounts.js';
import { programMissing } from './errors.js';
import { findSandbox, type Boxed } from './sandbox.js';

/** Interactive programs at this terminal.
 * @param engine has an address that may change, and images that the docker client may not pull */
export const createShells = (
  engine: Pick<OutsideEngine, 'address' | 'pullIfMissing'>,
  env: Readonly<Record<string, string | undefined>>,
): Shells => ({
  open: async (session, line) => {
    const { container } = session;
    if (container === null) {
      const own = { ...(env['TERM'] !== undefined && { TERM: env['TERM'] }), ...session.env };
      const box = bound(onHost(line, env), { ...session, env: own });
      return atTerminal(box.argv, session.cell ? '/' : session.cwd, box.env);
    }
    const { signal } = new AbortController();
    await engine.pullIfMissing(container.image, container.platform, { log: () => undefined, signal });
    return atTerminal(inContainer(session, container, line), '/', clientEnv(session.env, env, engine.address()));
  },
});

/** Starts the user's own shell without start-up files, which would change the environment of the step. */
function onHost(line: string | null, env: Readonly<Record<string, string | undefined>>): readonly string[] {
  if (line !== null) return ['sh', '-eu', '-c', line];
  const shell = env['SHELL'] ?? 'sh';
  return shell.endsWith('/bash') ? [shell, '--norc', '--noprofile', '-i'] : ['sh', '-i'];
}

/** Uses the sandbox, so that folders have the same names as for the step's programs. */
function bound(argv: readonly string[], { cwd, cell, env }: ShellSession): Boxed {
  const sandbox = cell === undefined ? '' : findSandbox();
  return cell === undefined || typeof sandbox === 'string' ? { argv, env } : sandbox.wrap(argv, { cwd, env }, cell);
}

/** Variables that the docker client itself reads, and those by which a loader takes code in. */
const CLIENTS_OWN = /^(PATH|HOME|DOCKER_.*|LD_.*|GLIBC_.*|GCONV_PATH|LOCPATH)$/;

/** Same options as container.ts, plus a terminal. Values go through the client's environment, because process lists
 * show arguments. */
function inContainer(
  { cwd, env }: ShellSession,
  { image, platform, mounts, network }: ShellContainer,
  line: string | null,
) {
  return [
    ...['docker', 'run', '--rm', '-i', ...(process.stdin.isTTY && process.stdout.isTTY ? ['-t'] : [])],
    ...['--network', network ? 'host' : 'none', '--log-driver', 'none'],
    ...['--label', 'slipway.reproduce=1', '--workdir', cwd, '--entrypoint', 'sh'],
    ...(platform === null ? [] : ['--platform', platform]),
    ...mounts.flatMap(mountArguments),
    ...Object.entries(env).flatMap(([name, value]) => ['--env', CLIENTS_OWN.test(name) ? `${name}=${value}` : name]),
    ...[image, ...(line === null ? [] : ['-eu', '-c', line])],
  ];
}

function clientEnv(env: ShellSession['env'], around: Readonly<Record<string, string | undefined>>, engine: string) {
  const given = Object.entries(env).filter(([name]) => !CLIENTS_OWN.test(name));
  const { PATH = '', HOME = '/', TERM } = around;
  return { ...Object.fromEntries(given), PATH, HOME, ...(TERM !== undefined && { TERM }), DOCKER_HOST: engine };
}

/** Ignores Ctrl-C: it is meant for the program at the terminal. */
function atTerminal(argv: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Promise<number> {
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  const child = spawn(argv[0]!, argv.slice(1), { cwd, env: { ...env }, stdio: 'inherit' });
  return new Promise<number>((resolve, reject) => {
    child.once('error', () => reject(fail(programMissing(argv[0]!, env['PATH']))));
    child.once('exit', (code) => resolve(code ?? 1));
  }).finally(() => process.off('SIGINT', ignore));
}
