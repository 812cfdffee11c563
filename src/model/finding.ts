/** One thing a check found. `error` stops what is being checked; `warning` and `note` travel into result and manifest. */
export interface Finding {
  readonly level: 'error' | 'warning' | 'note';
  /** Stable, UPPER_SNAKE; `accept:` in the release file names it. */
  readonly code: string;
  /** What it is about: a file inside a wheel, a tool, a target. */
  readonly subject: string;
  readonly why: string;
  /** What to do about it. */
  readonly next: string;
}
