import { spawn } from 'node:child_process';
import type { ShellSession, ShellContainer, Shells } from '../../activities/reproduce/ports.js';
import { fail } from '../../model/failure.js';
import { mountArguments } from '../docker/mounts.js';
import { programMissing } from './errors.js';
import { findSandbox } from './sandbox.js';

/** Programs at this process's own terminal. @param engine address of the Docker engine, as it is read each time */
export const createShells = (engine: () => string, env: Readonly<Record<string, string | undefined>>): Shells => ({
  sit: (seat, line) =>
    seat.container === null
      ? atTerminal(bound(onHost(line, env), seat), seat.cell ? '/' : seat.cwd, terminal(seat.env, env))
      : atTerminal(inContainer(seat, seat.container, line), '/', clientEnv(seat.env, env, engine())),
});

/** A person gets the shell that they are used to, without its start-up files: those would change what the step sees. */
function onHost(line: string | null, env: Readonly<Record<string, string | undefined>>): readonly string[] {
  if (line !== null) return ['sh', '-eu', '-c', line];
  const shell = env['SHELL'] ?? 'sh';
  return shell.endsWith('/bash') ? [shell, '--norc', '--noprofile', '-i'] : ['sh', '-i'];
}

/** The same names of folders as the step's own programs see. */
function bound(argv: readonly string[], { cwd, cell }: ShellSession): readonly string[] {
  const sandbox = cell === undefined ? '' : findSandbox();
  return cell === undefined || typeof sandbox === 'string' ? argv : sandbox.wrap(argv, cwd, cell);
}

/** Variables that the docker program itself reads. */
const CLIENTS_OWN = /^(PATH|HOME|DOCKER_.*)$/;

/** As our own containers are made (container.ts), at a terminal. Values travel by the client's environment: arguments are for all to see. */
function inContainer(
  { cwd, env }: ShellSession,
  { image, platform, mounts, network }: ShellContainer,
  line: string | null,
) {
  return [
    ...['docker', 'run', '--rm', '-i', ...(process.stdin.isTTY && process.stdout.isTTY ? ['-t'] : [])],
    ...[
      '--network',
      network ? 'host' : 'none',
      '--log-driver',
      'none',
      '--label',
      'slipway.reproduce=1',
      '--workdir',
      cwd,
      '--entrypoint',
      'sh',
    ],
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

/** Returns the variables of a terminal, besides those of the step's programs. */
const terminal = (
  step: ShellSession['env'],
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> => ({
  ...(env['TERM'] !== undefined && { TERM: env['TERM'] }),
  ...step,
});

/** Ctrl-C is for the program that runs there, not for us. */
function atTerminal(argv: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Promise<number> {
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  const child = spawn(argv[0]!, argv.slice(1), { cwd, env: { ...env }, stdio: 'inherit' });
  return new Promise<number>((resolve, reject) => {
    child.once('error', () => reject(fail(programMissing(argv[0]!, env['PATH']))));
    child.once('exit', (code) => resolve(code ?? 1));
  }).finally(() => process.off('SIGINT', ignore));
}
