import { classify } from '../../model/classify.js';
import type { Problem } from '../../model/failure.js';
import { targetBroken, targetDenied, targetTooLarge } from './errors.js';

/** What every registry means by a status; null: it is the caller's to read. */
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
