import type { Problem } from '../../model/failure.js';

/** Omits the address, which often contains the secret. */
export const webhookUnreachable = (to: string, why: string): Problem => ({
  code: 'WEBHOOK_UNREACHABLE',
  class: 'infra',
  message: `the webhook of ${to} does not answer: ${why}`,
  next: 'The message is sent again. If it stays so, check its address and the network of this worker.',
});
