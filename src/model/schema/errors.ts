import type { Problem } from '../failure.js';

export const expressionRefused = (expression: string, why: string): Problem => ({
  code: 'EXPRESSION_REFUSED',
  class: 'config',
  message: `${JSON.stringify(expression)} is no regular expression that can be used: ${why}`,
  next: 'Correct it in the release file. RE2 has no back-references and no look-ahead; docs/limits.md shows what to write.',
});

/** @param characters length of the searched text */
export const expressionTooCostly = (expression: string, characters: number): Problem => ({
  code: 'EXPRESSION_TOO_COSTLY',
  class: 'config',
  message: `${JSON.stringify(expression)} would take too long on a text of ${characters} characters`,
  next: 'Write a shorter expression with fewer repetitions ({n,m}, nested + and *), or name a smaller file.',
});
