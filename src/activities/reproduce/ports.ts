import type { Cell } from '../ports.js';
import type { Mount } from '../tests/ports.js';

/** A shell for a person in the place where a program of a step would run. */
export interface ShellSession {
  /** The command that would run there. */
  readonly argv: readonly string[] | string;
  readonly cwd: string;
  /** The whole environment on a host; in an image, what is laid over the image's own. */
  readonly env: Readonly<Record<string, string>>;
  /** The sandbox of the step's own programs. */
  readonly cell?: Cell;
  /** Null: this machine itself. */
  readonly container: ShellContainer | null;
}
export interface ShellContainer {
  /** `host:port/repository@sha256:…`. */
  readonly image: string;
  /** OCI platform; null: the engine's own. */
  readonly platform: string | null;
  readonly mounts: readonly Mount[];
  readonly network: boolean;
}

export interface Shells {
  /** A program at the seat, with the terminal as its own; answers its exit status. @param line null: a shell to type in */
  sit(seat: ShellSession, line: string | null): Promise<number>;
}
