import type { ServiceState } from './state.js';

/** A service that the supervisor starts. Its addresses and folders are fixed when it is created. */
export interface Service {
  readonly name: string;
  /** Services that must answer first. */
  readonly after: readonly string[];
  /** False: another program runs it; Slipway only uses it. */
  readonly managed: boolean;
  /** True: it runs code of this build and restarts when `dist` changes. */
  readonly runsOurCode: boolean;
  /** Prepares folders, configuration and a new database before each start.
   * @param onRenewed called if it made what running workers have read, so that they must start again */
  prepare(onRenewed: () => void): Promise<void>;
  launch(): Launch;
  /** True if a real request succeeded. */
  answers(pid: number): Promise<boolean>;
  /** Runs after the first answer, to register what the service needs. */
  settle(): Promise<void>;
  state(pid: number): ServiceState;
  /** From SIGTERM to SIGKILL. */
  readonly endWithinMs: number;
}

export interface Launch {
  readonly argv: readonly [string, ...string[]];
  readonly cwd?: string;
  /** An undefined value removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** True: the process gets only `env`, not the environment of `slipway up`. */
  readonly scrubbed?: true;
  /** Descriptors of sockets that the process inherits, from 3 on. */
  readonly sockets?: readonly number[];
  /** File for stdout if it is an access log. */
  readonly stdout?: string;
}

export const plain = {
  after: [] as readonly string[],
  managed: true,
  runsOurCode: false,
  prepare: async (): Promise<void> => undefined,
  settle: async (): Promise<void> => undefined,
  endWithinMs: 10_000,
};
