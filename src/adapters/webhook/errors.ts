import type { Problem } from '../../model/failure.js';

/** The address is left out: of many it is the secret. */
export const webhookUnreachable = (to: string, why: string): Problem => ({
  code: 'WEBHOOK_UNREACHABLE',
  class: 'infra',
  message: `the webhook of ${to} does not answer: ${why}`,
  next: 'It is tried again by itself. If it stays so, check the address behind it and the network of this worker.',
});
