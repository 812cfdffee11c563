import type { Problem } from '../../model/failure.js';

export const chainMalformed = (record: string, why: string): Problem => ({
  code: 'STANDINGS_MALFORMED',
  class: 'config',
  message: `the record ${record} is not as Slipway writes it: ${why}`,
  next: 'Find out who can write to the store. Remove the record from it, if no newer Slipway wrote it: the next run writes it again.',
});
