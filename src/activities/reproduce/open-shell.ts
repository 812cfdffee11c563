import type { Exit, Programs } from '../ports.js';
import type { ImageContainer, ImageContainers } from '../tests/ports.js';
import type { ShellSession, Shells } from './ports.js';

/** `shell`: a person types; `exec`: the step's own line runs as it always does. */
export type Way =
  { readonly do: 'shell' } | { readonly do: 'command'; readonly line: string } | { readonly do: 'exec' };

/** Between a step and the programs that it runs. */
export interface Between {
  readonly programs: Programs;
  containers(own: ImageContainers): ImageContainers;
  /** Exit status of what the person ran; null: the step never came to it. */
  readonly status: () => number | null;
}

export interface ShellRequest {
  readonly way: Way;
  readonly seats: Shells;
  readonly isOwn: (argv: ShellSession['argv']) => boolean;
  /** The step has a line of its own: else its first program that fails is a place too. */
  readonly hasOwn: boolean;
  /** Without what must not be shown. */
  fit(env: ShellSession['env']): ShellSession['env'];
  /** Everything so far is on the screen; nothing more of the step is to run afterwards. */
  before(seat: ShellSession): Promise<void>;
  after(): void;
}

/** Lets a step run as far as its own line, and gives the place to a person. */
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
