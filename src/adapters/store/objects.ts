import { createHash } from 'node:crypto';
import { access, chmod, type FileHandle, link, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import type { Store, Stored } from '../../activities/ports.js';
import { type Digest, hexOf, isDigest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { appearing } from './copy-out.js';
import { storeAltered, storeMissing } from './errors.js';
import { hashInto } from './read-through.js';
import { withTemporary } from './temporary.js';

const PIECE_BYTES = 1 << 20;

export function objectPath(store: string, digest: Digest): string {
  if (!isDigest(digest)) throw fail(storeMissing(String(digest)));
  return join(store, 'cas', 'sha256', hexOf(digest).slice(0, 2), hexOf(digest));
}

/** Bytes by digest at `cas/sha256/ab/<hex>`: written beside, flushed, then linked into place once. */
export function createObjects(store: string): Pick<Store, 'put' | 'putFile' | 'get' | 'fetch' | 'has'> {
  const pathOf = (digest: Digest): string => objectPath(store, digest);
  return {
    put: (bytes) => keep(store, pathOf, (to) => writeHashed(bytes, to)),
    putFile: async (path) => {
      const from = await open(path, 'r');
      try {
        return await keep(store, pathOf, (to) => hashInto(from, to));
      } finally {
        await from.close();
      }
    },
    get: async (digest) => verified(pathOf(digest), digest),
    fetch: (digest, path) => copyVerified(pathOf(digest), digest, path),
    has: (digest) => exists(pathOf(digest)),
  };
}

async function keep(
  store: string,
  pathOf: (digest: Digest) => string,
  write: (to: FileHandle) => Promise<Stored>,
): Promise<Stored> {
  let stored: Stored | null = null;
  return await withTemporary(
    store,
    async (file) => {
      stored = await write(file);
    },
    async (temporary) => {
      await linkOnce(temporary, pathOf(stored!.digest));
      return stored!;
    },
  );
}

async function writeHashed(bytes: AsyncIterable<Uint8Array>, to: FileHandle): Promise<Stored> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const piece of bytes) {
    const writing = to.writeFile(piece);
    hash.update(piece);
    size += piece.length;
    await writing;
  }
  return { digest: `sha256:${hash.digest('hex')}`, size };
}

/** An object's bytes as a new file that appears when they are whole and verified. */
export const copyVerified = (object: string, digest: Digest, path: string): Promise<void> =>
  appearing(path, async (to) => {
    const from = await opened(object, digest);
    try {
      if ((await hashInto(from, to)).digest !== digest) throw fail(storeAltered(digest, object));
    } finally {
      await from.close();
    }
  });

const opened = (path: string, digest: Digest): Promise<FileHandle> =>
  open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? fail(storeMissing(digest), error) : error;
  });

async function linkOnce(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await chmod(from, 0o444);
  await link(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** The stream fails after its last byte when the bytes are not the digest's, so a reader must read to the end. */
async function verified(path: string, digest: Digest): Promise<AsyncIterable<Uint8Array>> {
  const file = await opened(path, digest);
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
