import { classify } from '../../model/classify.js';
import type { Problem } from '../../model/failure.js';
import { targetBroken, targetDenied, targetTooLarge } from './errors.js';

/** Returns the problem of a status that means the same at every registry. Null if the caller must judge it. */
export function problemOfStatus(target: string, url: string, status: number): Problem | null {
  switch (classify({ of: 'http', status }).sign) {
    case 'denied':
      return targetDenied(target, url, status);
    case 'too large':
      return targetTooLarge(target, url);
    case 'broken':
    case 'disk full':
      return targetBroken(target, url, status);
    default:
      return null;
  }
}
