import type { Connection, Session } from '../../activities/publish/ports.js';
import { fail } from '../../model/failure.js';
import { Bucket } from '../s3-store/bucket.js';
import { s3Settings } from '../s3-store/settings.js';
import { credentialsHalf } from './errors.js';

/** Retries of one request; afterwards the step itself is retried. */
const PATIENCE_MS = 30_000;

/** Opens the bucket of a target. Without credentials of its own it uses those that the SDK finds. Throws
 * TARGET_CREDENTIALS_HALF: another identity must not take the place of half of one. */
export function openBucket(
  { name, address, username, password }: Pick<Connection, 'name' | 'address' | 'username' | 'password'>,
  endpoint: string | null,
  session: Pick<Session, 'patienceMs'>,
): Bucket {
  if (username !== null && password === null) throw fail(credentialsHalf(name, 'username'));
  if (username === null && password !== null) throw fail(credentialsHalf(name, 'password'));
  const env = {
    AWS_REGION: process.env['AWS_REGION'],
    AWS_DEFAULT_REGION: process.env['AWS_DEFAULT_REGION'],
    ...(endpoint !== null && { SLIPWAY_S3_ENDPOINT: endpoint }),
    SLIPWAY_S3_PATIENCE_MS: String(session.patienceMs ?? PATIENCE_MS),
  };
  const own = username !== null && password !== null ? { accessKeyId: username, secretAccessKey: password } : null;
  return new Bucket({ ...s3Settings(address, env), ...(own !== null && { credentials: own }) });
}
