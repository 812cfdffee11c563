import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Digest } from '../../model/digest.js';
import { MOST_PAGE_BYTES } from '../../model/python/index-entry.js';
import { type Bucket, unlessTaken } from '../s3-store/bucket.js';
import { isMissing } from '../s3-store/judge.js';
import { digestAt } from '../s3-store/layout.js';
import { sourceOfFile } from '../s3-store/source.js';
import { sendOnce } from '../s3-store/upload.js';
import { hashFile } from '../store/read-through.js';
import { asTarget } from '../s3-target/translate.js';
import type { Place } from './place.js';

/** pip judges a page by its content type. A bucket serves the type that was stored. */
const TYPES: Readonly<Record<string, string>> = {
  '/index.json': 'application/vnd.pypi.simple.v1+json',
  '/index.html': 'text/html; charset=utf-8',
  '/status.html': 'text/html; charset=utf-8',
  '.json': 'application/json',
  '': 'application/octet-stream',
};
const typeOf = (path: string): string => TYPES[Object.keys(TYPES).find((end) => path.endsWith(end))!]!;

/** Caches ask again each time. Pages change, and a repair replaces sidecars and records. */
const CACHED = 'no-cache';

/** An index in a bucket. A page is swapped only while it is the one that was read (`If-Match`). */
export function openBucketPlace(target: string, address: string, open: () => Bucket): Place {
  const within = <T>(act: (bucket: Bucket) => Promise<T>): Promise<T> =>
    asTarget(target, address, async () => act(open()));
  return {
    name: address,
    list: (folder) => within(async (bucket) => (await bucket.keysUnder(folder)).sort()),
    read: (path, mostBytes = MOST_PAGE_BYTES) =>
      within(async (bucket) => {
        const found = await bucket.text(path, mostBytes);
        return found && { text: found.text ?? '', tag: found.etag };
      }),
    create: (path, text) => within((bucket) => put(bucket, path, text, { IfNoneMatch: '*' })),
    createFile: (path, from) => within((bucket) => createFile(bucket, path, from)),
    digest: (path) =>
      within(async (bucket) => {
        if ((await bucket.head(path)) === null) return null;
        return (await bucket.patiently(() => digestAt(bucket, path))).digest;
      }),
    copy: (path, to) => within((bucket) => copyOut(bucket, path, to)),
    // A bucket has no links.
    links: async () => [],
    swap: (path, text, seen) =>
      within((bucket) => put(bucket, path, text, seen === null ? { IfNoneMatch: '*' } : { IfMatch: seen.tag })),
    // A bucket has no incomplete objects.
    sweep: async () => undefined,
    remove: (path) =>
      within(async (bucket) => {
        await bucket.patiently(() => bucket.client.send(new DeleteObjectCommand(bucket.at(path))));
      }),
  };
}

async function copyOut(bucket: Bucket, path: string, to: string): Promise<Digest | null> {
  if ((await bucket.head(path)) === null) return null;
  await bucket.patiently(async () => {
    const { Body } = await bucket.client.send(new GetObjectCommand(bucket.at(path)));
    await pipeline(Body as Readable, createWriteStream(to));
  });
  return (await hashFile(to)).digest;
}

type Condition = { readonly IfNoneMatch: '*' } | { readonly IfMatch: string };

/** Returns false if the condition fails: another writer was first, or the object is gone. */
async function put(bucket: Bucket, path: string, text: string, condition: Condition): Promise<boolean> {
  const sum = createHash('sha256').update(text);
  const command = new PutObjectCommand({
    ...bucket.at(path),
    ...condition,
    Body: text,
    ContentType: typeOf(path),
    CacheControl: CACHED,
    ChecksumSHA256: sum.copy().digest('base64'),
    Metadata: { sha256: sum.digest('hex') },
  });
  return unlessTaken(bucket.patiently(() => bucket.client.send(command))).catch((error: unknown) => {
    if (isMissing(error)) return false;
    throw error;
  });
}

/** Sends the digest, so that the server refuses other bytes. Whoever is first under a name stays. */
async function createFile(bucket: Bucket, path: string, from: string): Promise<boolean> {
  const { body, ...stored } = await sourceOfFile(from);
  return unlessTaken(bucket.patiently(() => sendOnce(bucket, path, stored, body)));
}
