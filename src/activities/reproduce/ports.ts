import type { Cell } from '../ports.js';
import type { Mount } from '../tests/ports.js';

/** A shell for a person, in place of a program of a step. */
export interface ShellSession {
  readonly argv: readonly string[] | string;
  readonly cwd: string;
  /** The whole environment on a host; in a container it extends the image's own. */
  readonly env: Readonly<Record<string, string>>;
  readonly cell?: Cell;
  /** Null on this machine itself. */
  readonly container: ShellContainer | null;
}
export interface ShellContainer {
  /** `host:port/repository@sha256:…`. */
  readonly image: string;
  /** OCI platform; null is the engine's own. */
  readonly platform: string | null;
  readonly mounts: readonly Mount[];
  readonly network: boolean;
}

export interface Shells {
  /** Runs a program on the terminal. Returns its exit status.
   * @param line command to run; null opens an interactive shell */
  open(session: ShellSession, line: string | null): Promise<number>;
}
