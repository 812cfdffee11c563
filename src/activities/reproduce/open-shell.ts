import type { Exit, Programs } from '../ports.js';
import type { ImageContainer, ImageContainers } from '../tests/ports.js';
import type { ShellSession, Shells } from './ports.js';

/** `shell` opens an interactive shell, `command` runs another line, `exec` runs the step's own line. */
export type Way =
  { readonly do: 'shell' } | { readonly do: 'command'; readonly line: string } | { readonly do: 'exec' };

/** Ports that intercept the programs of a step. */
export interface Between {
  readonly programs: Programs;
  containers(own: ImageContainers): ImageContainers;
  /** Exit status of the person's shell or command. Null if the step never reached it. */
  readonly status: () => number | null;
}

export interface ShellRequest {
  readonly way: Way;
  readonly seats: Shells;
  readonly isOwn: (argv: ShellSession['argv']) => boolean;
  /** True if the step has a line of its own. Otherwise the shell also opens at the first program that fails. */
  readonly hasOwn: boolean;
  /** Returns the environment without variables that must not be shown. */
  fit(env: ShellSession['env']): ShellSession['env'];
  /** Runs before the shell opens. Afterwards the step runs no further program. */
  before(seat: ShellSession): Promise<void>;
  after(): void;
}

/** Runs a step up to its own line, then opens a shell in its place. */
export function openShell(programs: Programs, sitting: ShellRequest): Between {
  let status: number | null = null;
  const sit = async (seat: ShellSession): Promise<Exit> => {
    const fitted = { ...seat, env: sitting.fit(seat.env) };
    await sitting.before(fitted);
    const { way } = sitting;
    status = await sitting.seats.sit(fitted, way.do === 'command' ? way.line : null);
    sitting.after();
    return { code: status, timedOut: false };
  };
  const at = async (seat: ShellSession, run: () => Promise<Exit>): Promise<Exit> => {
    if (sitting.way.do === 'exec' || status !== null) return run();
    if (sitting.isOwn(seat.argv)) return sit(seat);
    const exit = await run();
    const isPlace = !sitting.hasOwn && (exit.timedOut || exit.code !== 0);
    return isPlace ? sit(seat) : exit;
  };
  return {
    programs: {
      ...programs,
      run: (command) => at({ ...command, container: null }, () => programs.run(command)),
    },
    containers: (own) => ({ run: (container) => at(seatIn(container), () => own.run(container)) }),
    status: () => status,
  };
}

const seatIn = ({ argv, cwd, env, image, platform, mounts, network }: ImageContainer): ShellSession => ({
  ...{ argv, cwd, env },
  container: { image, platform, mounts, network },
});
