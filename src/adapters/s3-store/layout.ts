import { CopyObjectCommand, GetObjectCommand, type HeadObjectCommandOutput } from '@aws-sdk/client-s3';
import { Readable } from 'node:stream';

import type { Layout, Pointers, Store, Stored } from '../../activities/ports.js';
import { type Digest, isDigest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { storeMissing } from '../store/errors.js';
import { type Files, withLatest } from '../store/latest.js';
import { layoutPath } from '../store/names.js';
import type { Bucket } from './bucket.js';
import { verified } from './download.js';
import { objectPath } from './objects.js';
import { believing, sendLong } from './upload.js';
import { sha256OfStream } from '../sha256.js';

/** Limit of one copy request. */
const LONGEST_COPY_BYTES = 5 * 2 ** 30;

/** Files of a release under `layout/<release>/`, and its pointers. */
export const createLayout = (
  bucket: Bucket,
  { create }: Pick<Store, 'create'>,
  pointers: Pointers,
  release: string,
): Layout => withLatest(createFiles(bucket, { create }, release), pointers, release);

/** Real names at `layout/<release>/…`, copied by the server itself. A create-once record decides the bytes of a
 * name, because not every server supports conditional copies. */
function createFiles(bucket: Bucket, records: Pick<Store, 'create'>, release: string): Files {
  const root = `layout/${layoutPath(release)}/`;
  const at = (path: string): string => root + layoutPath(path);
  const look = async (path: string): Promise<Stored | null> => {
    const seen = await bucket.head(at(path));
    return seen === null ? null : await storedAt(bucket, at(path), seen);
  };
  return {
    place: async (path, digest) => {
      const size = (await bucket.head(objectPath(digest)))?.ContentLength;
      if (size === undefined) throw fail(storeMissing(digest));
      const { value: claim } = await records.create<Stored>(at(path), { digest, size });
      const there = await look(path);
      if (there !== null) return there;
      await believing(bucket, at(path), claim, () => copy(bucket, claim, at(path)));
      return claim;
    },
    find: look,
    list: async (prefix) =>
      (await bucket.keysUnder(`${at(prefix.replace(/\/$/, ''))}/`)).map((key) => key.slice(root.length)).sort(),
  };
}

async function copy(bucket: Bucket, stored: Stored, path: string): Promise<void> {
  const from = objectPath(stored.digest);
  const open = (): Readable => Readable.from(bytesOf(bucket, stored.digest), { objectMode: false });
  if (stored.size > LONGEST_COPY_BYTES)
    return await sendLong(bucket, path, stored, { open, mustBeUnchanged: async () => undefined });
  const { Bucket: name, Key } = bucket.at(from);
  const source = [name, ...Key.split('/')].map(encodeURIComponent).join('/');
  // COPY keeps the metadata with Slipway's SHA-256. A server with checksums computes its own, which is compared.
  const ask = {
    ...bucket.at(path),
    CopySource: source,
    MetadataDirective: 'COPY',
    ChecksumAlgorithm: 'SHA256',
  } as const;
  await bucket.client.send(new CopyObjectCommand(ask));
}

async function* bytesOf(bucket: Bucket, digest: Digest): AsyncIterable<Uint8Array> {
  yield* await verified(bucket, objectPath(digest), digest);
}

/** Uses the recorded digest; an object that was uploaded by hand has none and is read. */
async function storedAt(bucket: Bucket, path: string, seen: HeadObjectCommandOutput): Promise<Stored> {
  const noted = `sha256:${seen.Metadata?.['sha256']}`;
  return isDigest(noted)
    ? { digest: noted, size: seen.ContentLength ?? 0 }
    : await bucket.patiently(() => digestAt(bucket, path));
}

export async function digestAt(bucket: Bucket, path: string): Promise<Stored> {
  const { Body } = await bucket.client.send(new GetObjectCommand(bucket.at(path)));
  return sha256OfStream(Body as AsyncIterable<Buffer>);
}
