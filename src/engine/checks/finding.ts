import type { Finding } from '../../model/finding.js';

/** Makes a finding that fails the step, unless `accept:` names its code. */
export const error = (code: string, subject: string, why: string, next: string): Finding => ({
  level: 'error',
  code,
  subject,
  why,
  next,
});
