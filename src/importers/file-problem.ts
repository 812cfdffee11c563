import type { Problem, SourceLocation } from '../model/failure.js';

/** Takes a problem. What complains goes on, so that one reading finds all problems. */
export type Complain = (problem: Problem) => void;

/** A problem of a file of another tool, or of the import that names it. */
export const config = (place: SourceLocation | undefined, code: string, message: string, next: string): Problem => ({
  code,
  class: 'config',
  message,
  next,
  ...(place && { place }),
});

const LONGEST = 80;

/** Shortens a text for a message. */
export const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 3)}…` : text);

/** A value of a file as JSON, shortened. */
export const quoted = (value: unknown): string => cut(JSON.stringify(value) ?? 'nothing');

/** The first five names, and the number of the others. */
export const some = (names: readonly string[]): string =>
  `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;
