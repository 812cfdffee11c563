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

/** Held in memory up to here. Parts are too in memory, so that one that was cut is sent again. */
export const PART_BYTES = 8 << 20;
const PARTS_AT_ONCE = 4;
const MOST_PARTS = 10_000;

const PARTS_ABOVE_BYTES = 1 << 30;

/** Opened anew for each try. */
export interface LongBody {
  open(): Readable;
  /** Since its digest was taken; else it fails. */
  mustBeUnchanged(): Promise<void>;
}

/** Creates an object at most once. Bytes under our digest that are something else give way. */
export async function createOnce(bucket: Bucket, path: string, stored: Stored, body: Buffer | LongBody): Promise<void> {
  if (await isThere(bucket, path, stored).catch(falseIfAltered)) return;
  await believing(bucket, path, stored, () =>
    Buffer.isBuffer(body) ? inOne(bucket, path, stored, body) : sendLong(bucket, path, stored, body),
  );
}

/** Whether the very bytes are there. A short object is read, which takes no longer than asking for what is noted with it. */
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

/** A write is believed only when it was read back. */
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

/** An object under our digest that is something else is nobody's to use. */
async function isThere(bucket: Bucket, path: string, stored: Stored): Promise<boolean> {
  const seen = await bucket.head(path);
  if (seen === null) return false;
  if (differs(seen, stored) === null) return true;
  // The noted digest may be wrong or missing, for instance after a copy by hand. The bytes decide.
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

/** The server computes the SHA-256 of what arrives, and refuses what is not ours. */
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

/** Fails before the last part is sent. */
async function* andUnchanged(bytes: Readable, body: LongBody): AsyncIterable<Uint8Array> {
  yield* bytes as AsyncIterable<Buffer>;
  await body.mustBeUnchanged();
}

const base64 = ({ digest }: Stored): string => Buffer.from(hexOf(digest), 'hex').toString('base64');

/** Returns how the stored object differs from what we sent. Null if it is the same. */
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
