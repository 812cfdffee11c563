import { problem } from '../../model/problem.js';
import type { FailureClass, Problem } from '../../model/failure.js';

const classOf = (status: number): FailureClass => {
  if (status === 401 || status === 403) return 'denied';
  return status === 408 || status === 425 || status === 429 || status >= 500 ? 'infra' : 'config';
};

export const webhookRefused = (to: string, status: number, said: string): Problem => ({
  code: 'WEBHOOK_REFUSED',
  class: classOf(status),
  message: `the webhook of ${to} answered HTTP ${status}`,
  next: `Check its address and headers in the release file, and the values of their references; \`curl -d '{"text":"hello"}' ADDRESS\` tries it.`,
  evidence: said === '' ? [] : [said],
});

export const webhookAddressWrong = problem.config((to: string) => [
  'WEBHOOK_ADDRESS_WRONG',
  `the value of the webhook of ${to} is no address`,
  'Set it to an address that begins with https:// or http:// and holds no blanks.',
]);
export const tellCommandFailed = problem.product((to: string, code: number, evidence: readonly string[]) => [
  'TELL_COMMAND_FAILED',
  `the command of ${to} ended with status ${code}`,
  'Read its last lines below; it gets the message as the file $MESSAGE.',
  { evidence },
]);
export const listenerUnknown = problem.bug((name: string) => [
  'LISTENER_UNKNOWN',
  `the plan has no notify.${name}`,
  'Nobody was told. Please report this with the output of `slipway plan --json`.',
]);
