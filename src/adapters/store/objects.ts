import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, chmod, link, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import type { Store, Stored } from '../../activities/ports.js';
import { type Digest, hexOf, isDigest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { copyOut } from './copy-out.js';
import { storeAltered, storeMissing } from './errors.js';
import { withTemporary } from './temporary.js';

const PIECE_BYTES = 1 << 20;

export function objectPath(store: string, digest: Digest): string {
  if (!isDigest(digest)) throw fail(storeMissing(String(digest)));
  return join(store, 'cas', 'sha256', hexOf(digest).slice(0, 2), hexOf(digest));
}

/** Bytes by digest at `cas/sha256/ab/<hex>`: written beside, flushed, then linked into place once. */
export function createObjects(store: string): Pick<Store, 'put' | 'putFile' | 'get' | 'fetch' | 'has'> {
  const pathOf = (digest: Digest): string => objectPath(store, digest);
  const put = (bytes: AsyncIterable<Uint8Array>): Promise<Stored> => keep(store, pathOf, bytes);
  return {
    put,
    putFile: (path) => put(createReadStream(path, { highWaterMark: PIECE_BYTES })),
    get: async (digest) => verified(pathOf(digest), digest),
    fetch: (digest, path) => copyOut(async () => verified(pathOf(digest), digest), path),
    has: (digest) => exists(pathOf(digest)),
  };
}

async function keep(
  store: string,
  pathOf: (digest: Digest) => string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Stored> {
  const hash = createHash('sha256');
  let size = 0;
  let digest: Digest | null = null;
  return await withTemporary(
    store,
    async (file) => {
      for await (const piece of bytes) {
        hash.update(piece);
        size += piece.length;
        await file.writeFile(piece);
      }
      digest = `sha256:${hash.digest('hex')}`;
    },
    async (temporary) => {
      await linkOnce(temporary, pathOf(digest!));
      return { digest: digest!, size };
    },
  );
}

async function linkOnce(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await chmod(from, 0o444);
  await link(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** The stream fails after its last byte when the bytes are not the digest's, so a reader must read to the end. */
export async function verified(path: string, digest: Digest): Promise<AsyncIterable<Uint8Array>> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? fail(storeMissing(digest), error) : error;
  });
  const hash = createHash('sha256');
  const check = new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      hash.update(piece);
      done(null, piece);
    },
    flush: (done) => done(`sha256:${hash.digest('hex')}` === digest ? null : fail(storeAltered(digest, path))),
  });
  const source = file.createReadStream({ highWaterMark: PIECE_BYTES });
  source.on('error', (error) => check.destroy(error));
  check.on('close', () => source.destroy());
  return source.pipe(check);
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
