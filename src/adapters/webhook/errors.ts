import { problem } from '../../model/problem.js';

/** Omits the address, which often contains the secret. */
export const webhookUnreachable = problem.infra((to: string, why: string) => [
  'WEBHOOK_UNREACHABLE',
  `the webhook of ${to} does not answer: ${why}`,
  'The message is sent again. If it stays so, check its address and the network of this worker.',
]);
