import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { createHash, randomUUID } from 'node:crypto';
import { fail } from '../../model/failure.js';
import { recordDamaged } from '../store/errors.js';
import type { Bucket } from './bucket.js';
import { notKept } from './errors.js';
import { isMissing, isTaken } from './judge.js';

/** A small JSON text under a key. */
export interface Document<T> {
  readonly value: T;
  readonly etag: string;
  /** Which write this is: an answer that got lost on the way is told from somebody else's write. */
  readonly write: string;
}
/** `null`: only where nothing is there. Else only where this one still is. */
type Instead = { readonly etag: string } | null;

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

export async function readDocument<T>(bucket: Bucket, path: string, name: string): Promise<Document<T> | null> {
  const read = async () => {
    const answer = await bucket.client.send(new GetObjectCommand(bucket.at(path)));
    return { answer, text: (await answer.Body?.transformToString('utf8')) ?? '' };
  };
  const found = await bucket.patiently(read).catch(async (error: unknown) => {
    if (!isMissing(error)) throw error;
    await bucket.mustExist();
    return null;
  });
  if (found === null) return null;
  const { answer, text } = found;
  const damaged = (cause?: unknown) => fail(recordDamaged(name, bucket.place(path)), cause);
  if (answer.Metadata?.['sha256'] !== sumOf(text)) throw damaged();
  try {
    return { value: JSON.parse(text) as T, etag: answer.ETag ?? '', write: answer.Metadata['write'] ?? '' };
  } catch (error) {
    throw damaged(error);
  }
}

/** Writes, and answers what the key holds afterwards; `ours` where that is this write. */
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
      // What was to be replaced may also be gone: moved by another all the same.
      if (!isTaken(error) && !(instead !== null && isMissing(error))) throw error;
    });
  const seen = await readDocument<T>(bucket, path, name);
  if (seen === null) throw fail(notKept(bucket.place(path), 'nothing is there'));
  return { ours: seen.write === write, value: seen.value };
}
