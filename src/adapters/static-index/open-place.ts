import { isAbsolute } from 'node:path';
import type { Connection, Session } from '../../activities/publish/ports.js';
import { fail } from '../../model/failure.js';
import type { Bucket } from '../s3-store/bucket.js';
import { openBucket } from '../s3-target/open-bucket.js';
import { extraOf } from '../target-extra.js';
import { openBucketPlace } from './bucket.js';
import { indexBroken } from './errors.js';
import { openFolder } from './folder.js';
import type { Place } from './place.js';

/** Opens the folder or bucket of an index without touching it. Throws INDEX_BROKEN for any other address.
 * @param served folder that `slipway up` serves at `service:wheels` */
export function openPlace(to: Connection, session: Pick<Session, 'patienceMs'>, served: string | null): Place {
  const { name, address } = to;
  if (address.startsWith('s3://')) {
    let bucket: Bucket | null = null;
    const open = (): Bucket => (bucket ??= openBucket(to, extraOf(to, 'simple').endpoint, session));
    return openBucketPlace(name, address, open);
  }
  if (served !== null && /^https?:\/\//.test(address)) return openFolder(name, served);
  if (!isAbsolute(address)) throw fail(indexBroken(name, address, 'it is neither an absolute folder nor s3://…'));
  return openFolder(name, address);
}
