import { CopyObjectCommand, DeleteObjectCommand } from '@aws-sdk/client-s3';
import { type Digest, hexOf } from '../../model/digest.js';
import { fail, type SlipwayFailure } from '../../model/failure.js';
import { storeAltered } from '../store/errors.js';
import { asideName } from '../store/quarantine.js';
import type { Bucket } from './bucket.js';

/** Moves an object to `quarantine/` and returns its new place. Null if the key has changed or is gone. @param etag
 * of the object that was read */
export async function setAside(bucket: Bucket, path: string, was: string, etag: string): Promise<string | null> {
  const to = asideName(was);
  const { Bucket: name, Key } = bucket.at(path);
  const source = [name, ...Key.split('/')].map(encodeURIComponent).join('/');
  if ((await bucket.head(path))?.ETag !== etag) return null;
  const copy = new CopyObjectCommand({ ...bucket.at(to), CopySource: source, MetadataDirective: 'COPY' });
  await bucket.patiently(() => bucket.client.send(copy));
  // A concurrent write between this check and the delete would be lost. The object is then missing, but never wrong.
  if ((await bucket.head(path))?.ETag !== etag) return null;
  await bucket.patiently(() => bucket.client.send(new DeleteObjectCommand(bucket.at(path))));
  return bucket.place(to);
}

/** Moves an object with wrong bytes to quarantine. If that fails, the problem names its current place. */
export async function altered(
  bucket: Bucket,
  path: string,
  digest: Digest,
  etag: string | undefined,
): Promise<SlipwayFailure> {
  const place = bucket.place(path);
  const aside = etag === undefined ? place : await setAside(bucket, path, hexOf(digest), etag).catch(() => place);
  return fail(storeAltered(digest, aside ?? 'the quarantine of the store'));
}
