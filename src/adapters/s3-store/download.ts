import { GetObjectCommand, type GetObjectCommandOutput } from '@aws-sdk/client-s3';
import type { Digest } from '../../model/digest.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import { appearing, writeAll } from '../store/copy-out.js';
import { storeAltered, storeMissing } from '../store/errors.js';
import type { Bucket } from './bucket.js';
import { storeUnreachable } from './errors.js';
import { isMissing, isTaken, placeOf } from './judge.js';
import { altered } from './quarantine.js';
import { compared } from '../sha256.js';

/** Consecutive cuts without a byte before a download fails. */
const CUTS_WITHOUT_PROGRESS = 5;

/** Returns the object's bytes. Throws after the last byte if they do not match the digest. */
export async function verified(bucket: Bucket, path: string, digest: Digest): Promise<AsyncIterable<Uint8Array>> {
  const first = await opened(bucket, path, digest);
  return compared(whole(bucket, path, digest, first), digest, () => altered(bucket, path, digest, first.ETag));
}

/** Downloads to a new file `to` and verifies its digest. A separate hashing thread was measured and is not faster. */
export const fetchVerified = (bucket: Bucket, path: string, digest: Digest, to: string): Promise<void> =>
  appearing(to, async (file) => await writeAll(file, await verified(bucket, path, digest)));

async function opened(bucket: Bucket, path: string, digest: Digest): Promise<GetObjectCommandOutput> {
  const found = await bucket.unlessMissing(() => bucket.client.send(new GetObjectCommand(bucket.at(path))));
  if (found === null) throw fail(storeMissing(digest));
  return found;
}

/** Yields all bytes of one object. Resumes a cut connection at the same offset. */
async function* whole(
  bucket: Bucket,
  path: string,
  digest: Digest,
  first: GetObjectCommandOutput,
): AsyncIterable<Uint8Array> {
  const size = first.ContentLength ?? 0;
  let at = 0;
  let cuts = 0;
  for (let answer = first; ; answer = await from(bucket, path, digest, at, first.ETag)) {
    const before = at;
    const pieces = (answer.Body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await pieces.next().catch(() => null);
        if (next === null || next.done) break;
        at += next.value.length;
        yield next.value;
      }
    } finally {
      await pieces.return?.().catch(() => undefined);
    }
    if (at >= size) return;
    cuts = at > before ? 0 : cuts + 1;
    if (cuts > CUTS_WITHOUT_PROGRESS)
      throw fail(storeUnreachable(placeOf(bucket.settings), `${path} ends after ${at} of ${size} bytes`));
  }
}

function from(
  bucket: Bucket,
  path: string,
  digest: Digest,
  at: number,
  etag: string | undefined,
): Promise<GetObjectCommandOutput> {
  const ask = new GetObjectCommand({ ...bucket.at(path), Range: `bytes=${at}-`, ...(etag ? { IfMatch: etag } : {}) });
  return bucket
    .patiently(() => bucket.client.send(ask))
    .catch((error: unknown) => {
      if (!(error instanceof SlipwayFailure) && (isTaken(error) || isMissing(error)))
        throw fail(storeAltered(digest, bucket.place(path)), error);
      throw error;
    });
}
