import type { Identity } from './identity.js';

/** Lines on the runner's stdin. The end of stdin makes the runner stop all programs. */
export type Order =
  | { readonly do: 'run'; readonly id: string; readonly spec: Spec }
  | { readonly do: 'stop'; readonly id: string };

export const STATUS_FD = 3;

export interface Spec {
  /** The program's name in messages: `argv` may begin with the sandbox. */
  readonly program: string;
  /** True if the first process is a sandbox, which ends together with the program and everything in it. */
  readonly boxed: boolean;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limitMs: number;
  /** Between SIGTERM and SIGKILL. */
  readonly graceMs: number;
  readonly stdin: string | null;
  /** File that describes the running group for `sweepGroups`. */
  readonly record: string;
  readonly worker: Identity;
  /** Named pipes that the worker reads. */
  readonly stdout: string;
  readonly stderr: string;
}

/** Events of one program. `failed` or `ended` is the last. */
export type ProgramEvent =
  | { readonly say: 'started'; readonly pgid: number }
  | { readonly say: 'failed'; readonly errno: string }
  | { readonly say: 'ended'; readonly code: number; readonly timedOut: boolean };
/** Lines on the runner's stdout. */
export type RunnerReport = ProgramEvent & { readonly id: string };

/** `<home>/running/<id>.json` */
export interface Running {
  /** Working folder and output files. They identify a group whose leader is gone. */
  readonly cwd: string;
  readonly output: readonly string[];
  readonly group: Identity;
  readonly runner: Identity;
  readonly worker: Identity;
}
