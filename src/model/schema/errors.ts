import { problem } from '../problem.js';

export const expressionRefused = problem.config((expression: string, why: string) => [
  'EXPRESSION_REFUSED',
  `${JSON.stringify(expression)} is no regular expression that can be used: ${why}`,
  'Correct it in the release file. RE2 has no back-references and no look-ahead; docs/limits.md shows what to write.',
]);
/** @param characters length of the searched text */
export const expressionTooCostly = problem.config((expression: string, characters: number) => [
  'EXPRESSION_TOO_COSTLY',
  `${JSON.stringify(expression)} would take too long on a text of ${characters} characters`,
  'Write a shorter expression with fewer repetitions ({n,m}, nested + and *), or name a smaller file.',
]);
