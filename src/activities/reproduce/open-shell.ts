import type { Exit, Programs } from '../ports.js';
import type { ImageContainer, ImageContainers } from '../tests/ports.js';
import type { ShellSession, Shells } from './ports.js';

/** `shell` opens an interactive shell, `command` runs another line, `exec` runs the step's own line. */
export type Way =
  | { readonly do: 'shell' }
  | { readonly do: 'command'; readonly line: string }
  | { readonly do: 'exec' };

/** Ports that intercept the programs of a step. */
export interface Between {
  readonly programs: Programs;
  containers(own: ImageContainers): ImageContainers;
  /** Exit status of the person's shell or command. Null if the step never reached it. */
  readonly status: () => number | null;
}

export interface ShellRequest {
  readonly way: Way;
  readonly shells: Shells;
  readonly isOwn: (argv: ShellSession['argv']) => boolean;
  /** True if the step has a line of its own. Otherwise the shell also opens at the first program that fails. */
  readonly hasOwn: boolean;
  /** Returns the environment without variables that must not be shown. */
  fit(env: ShellSession['env']): ShellSession['env'];
  /** Runs before the shell opens. Afterwards the step runs no further program. */
  before(session: ShellSession): Promise<void>;
  after(): void;
}

/** Runs a step up to its own line, then opens a shell in its place. */
export function openShell(programs: Programs, request: ShellRequest): Between {
  let status: number | null = null;
  const openIn = async (session: ShellSession): Promise<Exit> => {
    const fitted = { ...session, env: request.fit(session.env) };
    await request.before(fitted);
    const { way } = request;
    status = await request.shells.open(fitted, way.do === 'command' ? way.line : null);
    request.after();
    return { code: status, timedOut: false };
  };
  const at = async (session: ShellSession, run: () => Promise<Exit>): Promise<Exit> => {
    if (request.way.do === 'exec' || status !== null) return run();
    if (request.isOwn(session.argv)) return openIn(session);
    const exit = await run();
    const isPlace = !request.hasOwn && (exit.timedOut || exit.code !== 0);
    return isPlace ? openIn(session) : exit;
  };
  return {
    programs: {
      ...programs,
      run: (command) => at({ ...command, container: null }, () => programs.run(command)),
    },
    containers: (own) => ({ run: (container) => at(sessionIn(container), () => own.run(container)) }),
    status: () => status,
  };
}

const sessionIn = ({ argv, cwd, env, image, platform, mounts, network }: ImageContainer): ShellSession => ({
  ...{ argv, cwd, env },
  container: { image, platform, mounts, network },
});
