import type { ServiceState } from './state.js';

/** What is started, and how it is known to answer. Addresses and folders are decided when it is made. */
export interface Service {
  readonly name: string;
  /** These answer first. */
  readonly after: readonly string[];
  /** False: somebody else runs it, we only use it. */
  readonly managed: boolean;
  /** A build is inside it: it starts again when `dist` changes. */
  readonly runsOurCode: boolean;
  /** Folders, configuration, a database's first day; before every start. */
  prepare(): Promise<void>;
  launch(): Launch;
  /** A real request succeeded. */
  answers(pid: number): Promise<boolean>;
  /** After it first answers: what must be registered in it. */
  settle(): Promise<void>;
  state(pid: number): ServiceState;
  /** From TERM to KILL. */
  readonly endWithinMs: number;
}

export interface Launch {
  readonly argv: readonly [string, ...string[]];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** It gets `env` alone, and nothing of the environment of `slipway up`. */
  readonly scrubbed?: true;
  /** Where stdout goes when it is not chatter but an access log. */
  readonly stdout?: string;
}

/** Sensible answers for what most services do not need. */
export const plain = {
  after: [] as readonly string[],
  managed: true,
  runsOurCode: false,
  prepare: async (): Promise<void> => undefined,
  settle: async (): Promise<void> => undefined,
  endWithinMs: 10_000,
};
