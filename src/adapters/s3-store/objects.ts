import type { Store, Stored } from '../../activities/ports.js';
import { type Digest, hexOf, isDigest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { storeMissing } from '../store/errors.js';
import type { Bucket } from './bucket.js';
import { fetchVerified, verified } from './download.js';
import { type Source, sourceOfFile, withSource } from './source.js';
import { createOnce, sound } from './upload.js';

export function objectPath(digest: Digest): string {
  if (!isDigest(digest)) throw fail(storeMissing(String(digest)));
  return `cas/sha256/${hexOf(digest).slice(0, 2)}/${hexOf(digest)}`;
}

/** Bytes by digest at `cas/sha256/ab/<hex>`. @param folder local folder for streams of unknown digest */
export function createObjects(
  bucket: Bucket,
  folder: string,
): Pick<Store, 'put' | 'putFile' | 'get' | 'fetch' | 'has' | 'sound'> {
  const keep = async ({ digest, size, body }: Source): Promise<Stored> => {
    await createOnce(bucket, objectPath(digest), { digest, size }, body);
    return { digest, size };
  };
  return {
    put: (bytes) => withSource(folder, bytes, keep),
    putFile: async (path) => keep(await sourceOfFile(path)),
    get: async (digest) => verified(bucket, objectPath(digest), digest),
    fetch: (digest, path) => fetchVerified(bucket, objectPath(digest), digest, path),
    has: async (digest) => (await bucket.head(objectPath(digest))) !== null,
    sound: (digest) => sound(bucket, objectPath(digest), digest),
  };
}
