import type { Identity } from './identity.js';

/** First line on the runner's stdin. The pipe stays open for as long as the program may run: its end is the order to stop. */
export interface Spec {
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
}

/** Lines on the runner's file descriptor 3. */
export type Report =
  | { readonly say: 'started'; readonly pgid: number }
  | { readonly say: 'failed'; readonly errno: string }
  | { readonly say: 'ended'; readonly code: number; readonly timedOut: boolean };

/** `<home>/running/<id>.json` */
export interface Running {
  /** Working folder of the program, and what its output goes to: by these a group is known again whose leader is gone. */
  readonly cwd: string;
  readonly output: readonly string[];
  readonly group: Identity;
  readonly runner: Identity;
  readonly worker: Identity;
}
