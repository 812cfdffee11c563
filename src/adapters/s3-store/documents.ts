import { PutObjectCommand } from '@aws-sdk/client-s3';
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { fail } from '../../model/failure.js';
import { recordDamaged, recordTooLong } from '../store/errors.js';
import { MOST_RECORD_BYTES, parseRecord } from '../store/record-text.js';
import type { Bucket } from './bucket.js';
import { notKept } from './errors.js';
import { isMissing, isTaken } from './judge.js';

export interface Document<T> {
  readonly value: T;
  readonly etag: string;
  /** Unique id of the write. It shows whether a write whose answer was lost succeeded. */
  readonly write: string;
}
/** Precondition: null requires an absent key, else the key must have this etag. */
type Instead = { readonly etag: string } | null;

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** While an object is replaced, a server may return the text with the previous checksum. Real damage stays. */
const LOOKS = 5;
const LOOK_AGAIN_MS = 50;

export async function readDocument<T>(bucket: Bucket, path: string, name: string): Promise<Document<T> | null> {
  for (let looks = 1; ; looks += 1) {
    const found = await bucket.text(path, MOST_RECORD_BYTES);
    if (found === null) return null;
    const { text, etag, Metadata } = found;
    if (text === null) throw fail(recordTooLong(name, bucket.place(path), MOST_RECORD_BYTES));
    if (Metadata['sha256'] === sumOf(text))
      return { value: parseRecord<T>(text, name, bucket.place(path)), etag, write: Metadata['write'] ?? '' };
    if (looks === LOOKS) throw fail(recordDamaged(name, bucket.place(path)));
    await wait(LOOK_AGAIN_MS);
  }
}

/** Writes conditionally and returns the key's content afterwards. `ours` is true if this write succeeded. */
export async function writeDocument<T>(
  bucket: Bucket,
  path: string,
  name: string,
  value: T,
  instead: Instead,
): Promise<{ readonly ours: boolean; readonly value: T }> {
  const text = `${JSON.stringify(value)}\n`;
  const write = randomUUID();
  const put = new PutObjectCommand({
    ...bucket.at(path),
    ...(instead === null ? { IfNoneMatch: '*' } : { IfMatch: instead.etag }),
    Body: text,
    ContentType: 'application/json',
    ChecksumSHA256: createHash('sha256').update(text).digest('base64'),
    Metadata: { sha256: sumOf(text), write },
  });
  await bucket
    .patiently(() => bucket.client.send(put))
    .catch((error: unknown) => {
      // The document to replace may also be gone: another writer moved it.
      if (!isTaken(error) && !(instead !== null && isMissing(error))) throw error;
    });
  const seen = await readDocument<T>(bucket, path, name);
  if (seen === null) throw fail(notKept(bucket.place(path), 'nothing is there'));
  return { ours: seen.write === write, value: seen.value };
}
