import { fail, SlipwayFailure, type Problem } from '../../model/failure.js';
import { targetDenied, targetRefused, targetUnreachable } from '../http/errors.js';
import { targetBucketMissing, targetCredentialsAbsent } from './errors.js';

/** Converts problems of the store into problems of a target. */
export async function asTarget<T>(target: string, address: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof SlipwayFailure)) throw error;
    const problem = translated(target, address, error.first);
    throw problem === null ? error : fail(problem, error);
  }
}

function translated(target: string, address: string, { code, message }: Problem): Problem | null {
  switch (code) {
    case 'STORE_UNREACHABLE':
    case 'STORE_NOT_KEPT':
      return targetUnreachable(target, address, message);
    case 'STORE_DENIED':
      return { ...targetDenied(target, address, 403), evidence: [message] };
    case 'STORE_CREDENTIALS_ABSENT':
      return targetCredentialsAbsent(target, address, message);
    case 'STORE_BUCKET_MISSING':
      return targetBucketMissing(target, address, message);
    case 'STORE_SETTINGS_REFUSED':
    case 'STORE_ADDRESS_REFUSED':
      return targetRefused(target, `a look at ${address}`, [message]);
    default:
      return null;
  }
}
