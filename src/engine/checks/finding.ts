import type { Finding } from '../../model/finding.js';

/** A finding that stops what is being checked, unless `accept:` names its code. */
export const error = (code: string, subject: string, why: string, next: string): Finding => ({
  level: 'error',
  code,
  subject,
  why,
  next,
});
