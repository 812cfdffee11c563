/** Result of a check. `error` fails the step; `warning` and `note` are stored in result and manifest. */
export interface Finding {
  readonly level: 'error' | 'warning' | 'note';
  /** UPPER_SNAKE, stable; `accept:` in the release file names it. */
  readonly code: string;
  /** A file inside a wheel, a tool or a target. */
  readonly subject: string;
  readonly why: string;
  readonly next: string;
}

/** Returns a function that makes findings of a level, for a catalogue of them. */
export const findingOf =
  (level: Finding['level']) =>
  (subject: string, code: string, why: string, next: string): Finding => ({ level, code, subject, why, next });
