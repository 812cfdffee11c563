import type { Identity } from './identity.js';

/** Lines on the runner's stdin. The pipe stays open for as long as programs may run: its end is the order to stop them all. */
export type Order =
  { readonly do: 'run'; readonly id: string; readonly spec: Spec } | { readonly do: 'stop'; readonly id: string };

/** Descriptor on which a sandbox tells the runner of its first process. */
export const STATUS_FD = 3;

export interface Spec {
  /** The program that messages name: `argv` may begin with what puts it into a sandbox. */
  readonly program: string;
  /** Its first process is a sandbox, which ends with the program and ends whatever the program left. */
  readonly boxed: boolean;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limitMs: number;
  /** Between TERM and KILL. */
  readonly graceMs: number;
  readonly stdin: string | null;
  /** File that names the group while it runs, for `sweep`. */
  readonly record: string;
  readonly worker: Identity;
  /** Named pipes that the worker reads. */
  readonly stdout: string;
  readonly stderr: string;
}

/** Events of one program. The last one is `failed` or `ended`. */
export type ProgramEvent =
  | { readonly say: 'started'; readonly pgid: number }
  | { readonly say: 'failed'; readonly errno: string }
  | { readonly say: 'ended'; readonly code: number; readonly timedOut: boolean };
/** Lines on the runner's stdout. */
export type RunnerReport = ProgramEvent & { readonly id: string };

/** `<home>/running/<id>.json` */
export interface Running {
  /** Working folder of the program, and what its output goes to: by these a group is known again whose leader is gone. */
  readonly cwd: string;
  readonly output: readonly string[];
  readonly group: Identity;
  readonly runner: Identity;
  readonly worker: Identity;
}
