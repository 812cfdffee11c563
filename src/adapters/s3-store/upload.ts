import { DeleteObjectCommand, type HeadObjectCommandOutput, PutObjectCommand } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { Readable } from 'node:stream';
import type { Stored } from '../../activities/ports.js';
import { type Digest, hexOf } from '../../model/digest.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import { type Bucket, unlessTaken } from './bucket.js';
import { verified } from './download.js';
import { notKept } from './errors.js';
import { altered } from './quarantine.js';

/** Size of a part, which memory holds so that a cut upload can be repeated. */
export const PART_BYTES = 8 << 20;
const PARTS_AT_ONCE = 4;
const MOST_PARTS = 10_000;

const PARTS_ABOVE_BYTES = 1 << 30;

export interface LongBody {
  open(): Readable;
  /** Rejects if the content changed since its digest was computed. */
  mustBeUnchanged(): Promise<void>;
}

/** Creates an object at most once. Wrong bytes under the same digest go to quarantine first. */
export async function createOnce(bucket: Bucket, path: string, stored: Stored, body: Buffer | LongBody): Promise<void> {
  if (await isThere(bucket, path, stored).catch(falseIfAltered)) return;
  await believing(bucket, path, stored, () => sendOnce(bucket, path, stored, body));
}

/** Rejects with 412 if the key exists. */
export const sendOnce = (bucket: Bucket, path: string, stored: Stored, body: Buffer | LongBody): Promise<void> =>
  Buffer.isBuffer(body) ? inOne(bucket, path, stored, body) : sendLong(bucket, path, stored, body);

/** True if the key holds the exact bytes. Reads a short object, because its metadata costs a request too. */
export async function sound(bucket: Bucket, path: string, digest: Digest): Promise<boolean> {
  const seen = await bucket.head(path);
  if (seen === null) return false;
  const stored = { digest, size: seen.ContentLength ?? 0 };
  if (stored.size > PART_BYTES) return await isThere(bucket, path, stored).catch(falseIfAltered);
  return await readWhole(bucket, path, digest).catch(falseIfAltered);
}

function falseIfAltered(error: unknown): false {
  if (error instanceof SlipwayFailure && ['STORE_ALTERED', 'STORE_MISSING'].includes(error.first.code)) return false;
  throw error;
}

/** Writes and then verifies by reading back. Throws STORE_NOT_KEPT if the object differs. */
export async function believing(
  bucket: Bucket,
  path: string,
  stored: Stored,
  send: () => Promise<unknown>,
): Promise<void> {
  const written = await unlessTaken(bucket.patiently(send));
  if (!written) {
    if (!(await isThere(bucket, path, stored))) throw fail(notKept(bucket.place(path), 'nothing is there'));
    return;
  }
  const wrong = differs(await bucket.head(path), stored);
  if (wrong === null) return;
  await bucket.patiently(() => bucket.client.send(new DeleteObjectCommand(bucket.at(path))));
  throw fail(notKept(bucket.place(path), wrong));
}

/** True if the key holds these bytes. Moves an object with wrong bytes to quarantine and throws STORE_ALTERED. */
async function isThere(bucket: Bucket, path: string, stored: Stored): Promise<boolean> {
  const seen = await bucket.head(path);
  if (seen === null) return false;
  if (differs(seen, stored) === null) return true;
  // The recorded digest may be wrong or missing, for instance after a manual copy. The bytes decide.
  if (seen.ContentLength !== stored.size) throw await altered(bucket, path, stored.digest, seen.ETag);
  return await readWhole(bucket, path, stored.digest);
}

async function readWhole(bucket: Bucket, path: string, digest: Digest): Promise<true> {
  for await (const _ of await verified(bucket, path, digest)) void _;
  return true;
}

const once = (bucket: Bucket, path: string, stored: Stored) => ({
  ...bucket.at(path),
  IfNoneMatch: '*',
  Metadata: { sha256: hexOf(stored.digest) },
});

/** Sends the SHA-256, so that the server refuses other bytes. */
async function inOne(bucket: Bucket, path: string, stored: Stored, body: Buffer | Readable): Promise<void> {
  const sum = { ContentLength: stored.size, ChecksumSHA256: base64(stored) };
  await bucket.client.send(new PutObjectCommand({ ...once(bucket, path, stored), ...sum, Body: body }));
}

export async function sendLong(bucket: Bucket, path: string, stored: Stored, body: LongBody): Promise<void> {
  const stream = body.open();
  const isShort = stored.size <= (bucket.settings.partsAboveBytes ?? PARTS_ABOVE_BYTES);
  try {
    await (isShort ? inOne(bucket, path, stored, stream) : inParts(bucket, path, stored, stream, body));
  } catch (error) {
    // The file may have changed if its checksum was refused.
    await body.mustBeUnchanged();
    throw error;
  } finally {
    stream.destroy();
  }
}

async function inParts(bucket: Bucket, path: string, stored: Stored, bytes: Readable, body: LongBody): Promise<void> {
  const upload = new Upload({
    client: bucket.client,
    params: {
      ...once(bucket, path, stored),
      Body: Readable.from(andUnchanged(bytes, body), { objectMode: false }),
      ChecksumAlgorithm: 'CRC32',
    },
    partSize: Math.max(PART_BYTES, Math.ceil(stored.size / MOST_PARTS)),
    queueSize: PARTS_AT_ONCE,
  });
  await upload.done();
}

/** Rejects before the last part is sent if the content has changed. */
async function* andUnchanged(bytes: Readable, body: LongBody): AsyncIterable<Uint8Array> {
  yield* bytes as AsyncIterable<Buffer>;
  await body.mustBeUnchanged();
}

const base64 = ({ digest }: Stored): string => Buffer.from(hexOf(digest), 'hex').toString('base64');

/** Returns how the stored object differs from the sent one. Null if it is the same. */
function differs(seen: HeadObjectCommandOutput | null, stored: Stored): string | null {
  if (seen === null) return 'nothing is there';
  if (seen.ContentLength !== stored.size) return `it has ${seen.ContentLength} bytes instead of ${stored.size}`;
  const ours = seen.Metadata?.['sha256'];
  if (ours !== hexOf(stored.digest)) return `its SHA-256 is noted as ${ours ?? 'nothing'}`;
  const theirs = seen.ChecksumSHA256;
  // A checksum of parts ends in a dash and their number.
  if (theirs !== undefined && !theirs.includes('-') && theirs !== base64(stored)) return `its SHA-256 is ${theirs}`;
  return null;
}
