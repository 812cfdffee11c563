import { problem } from '../../model/problem.js';

export const chainMalformed = problem.config((record: string, why: string) => [
  'STANDINGS_MALFORMED',
  `the record ${record} is not as Slipway writes it: ${why}`,
  'Find out who can write to the store. Remove the record from it, if no newer Slipway wrote it: the next run writes it again.',
]);
