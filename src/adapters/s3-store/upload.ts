import { DeleteObjectCommand, type HeadObjectCommandOutput, PutObjectCommand } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { type Readable } from 'node:stream';
import type { Stored } from '../../activities/ports.js';
import { hexOf } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { storeAltered } from '../store/errors.js';
import { type Bucket, unlessTaken } from './bucket.js';
import { verified } from './download.js';
import { notKept } from './errors.js';

/** One request up to here, parts of this size beyond. Parts are held in memory, so that one that was cut is sent again. */
export const PART_BYTES = 8 << 20;
const PARTS_AT_ONCE = 4;
const MOST_PARTS = 10_000;

/** Creates an object at most once, and believes it only when it was read back.
 * @param body whole where it fits one part; else makes a new stream for each try, which fails when its bytes are not the digest's */
export async function createOnce(
  bucket: Bucket,
  path: string,
  stored: Stored,
  body: Buffer | (() => Readable),
): Promise<void> {
  if (await isThere(bucket, path, stored)) return;
  const send = Buffer.isBuffer(body)
    ? () =>
        bucket.client.send(
          new PutObjectCommand({ ...once(bucket, path, stored), Body: body, ChecksumSHA256: base64(stored) }),
        )
    : () => inParts(bucket, path, stored, body());
  const written = await unlessTaken(bucket.patiently<unknown>(send));
  if (!written) {
    if (!(await isThere(bucket, path, stored))) throw fail(notKept(bucket.place(path), 'nothing is there'));
    return;
  }
  const wrong = differs(await bucket.head(path), stored);
  if (wrong === null) return;
  await bucket.patiently(() => bucket.client.send(new DeleteObjectCommand(bucket.at(path))));
  throw fail(notKept(bucket.place(path), wrong));
}

/** An object under our digest that is something else is nobody's to use. */
async function isThere(bucket: Bucket, path: string, stored: Stored): Promise<boolean> {
  const seen = await bucket.head(path);
  if (seen === null) return false;
  if (differs(seen, stored) === null) return true;
  // What is noted may be wrong or not yet written, as where somebody copied the file there by hand: the bytes decide.
  if (seen.ContentLength !== stored.size) throw fail(storeAltered(stored.digest, bucket.place(path)));
  for await (const _ of await verified(bucket, path, stored.digest)) void _;
  return true;
}

const once = (bucket: Bucket, path: string, stored: Stored) => ({
  ...bucket.at(path),
  IfNoneMatch: '*',
  Metadata: { sha256: hexOf(stored.digest) },
});

async function inParts(bucket: Bucket, path: string, stored: Stored, body: Readable): Promise<void> {
  const upload = new Upload({
    client: bucket.client,
    params: { ...once(bucket, path, stored), Body: body, ChecksumAlgorithm: 'CRC32' },
    partSize: Math.max(PART_BYTES, Math.ceil(stored.size / MOST_PARTS)),
    queueSize: PARTS_AT_ONCE,
  });
  try {
    await upload.done();
  } finally {
    body.destroy();
  }
}

const base64 = ({ digest }: Stored): string => Buffer.from(hexOf(digest), 'hex').toString('base64');

/** What the server holds, against what we sent; null where it is the same. */
function differs(seen: HeadObjectCommandOutput | null, stored: Stored): string | null {
  if (seen === null) return 'nothing is there';
  if (seen.ContentLength !== stored.size) return `it has ${seen.ContentLength} bytes instead of ${stored.size}`;
  const ours = seen.Metadata?.['sha256'];
  if (ours !== hexOf(stored.digest)) return `its SHA-256 is noted as ${ours ?? 'nothing'}`;
  const theirs = seen.ChecksumSHA256;
  // A sum of parts has a dash and their number behind it.
  if (theirs !== undefined && !theirs.includes('-') && theirs !== base64(stored)) return `its SHA-256 is ${theirs}`;
  return null;
}
