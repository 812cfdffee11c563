import { createHash } from 'node:crypto';
import { chmodSync, closeSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { access, type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store, Stored } from '../../activities/ports.js';
import { type Digest, hexOf, isDigest } from '../../model/digest.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import { appearing, appearingNow } from './copy-out.js';
import { storeAltered, storeMissing } from './errors.js';
import { setAside } from './quarantine.js';
import { hashInto, hashOpen } from './read-through.js';
import { linkFirst, withSmall, withTemporary } from './temporary.js';
import { myTurn } from './turns.js';
import { compared, sha256 } from '../sha256.js';

const PIECE_BYTES = 1 << 20;
/** Up to this size one read is faster than the thread pool. */
const SMALL_BYTES = 1 << 16;

export function objectPath(store: string, digest: Digest): string {
  if (!isDigest(digest)) throw fail(storeMissing(String(digest)));
  return join(store, 'cas', 'sha256', hexOf(digest).slice(0, 2), hexOf(digest));
}

/** Bytes by digest at `cas/sha256/ab/<hex>`: written to a temporary file, flushed, then linked once. */
export function createObjects(store: string): Pick<Store, 'put' | 'putFile' | 'get' | 'fetch' | 'has' | 'sound'> {
  const pathOf = (digest: Digest): string => objectPath(store, digest);
  return {
    put: (bytes) => keep(store, (to) => writeHashed(bytes, to)),
    putFile: async (path) => (await putSmall(store, path)) ?? (await putLarge(store, path)),
    get: async (digest) => verified(store, digest),
    fetch: (digest, path) => copyVerified(store, digest, path),
    has: (digest) => exists(pathOf(digest)),
    sound: (digest) => sound(store, digest),
  };
}

/** Null if the file is large or unreadable; `putLarge` reports the error. */
async function putSmall(store: string, path: string): Promise<Stored | null> {
  await myTurn();
  const seen = statSync(path, { throwIfNoEntry: false });
  // Opening a named pipe would block the process.
  if (!seen?.isFile() || seen.size > SMALL_BYTES) return null;
  const bytes = readFileSync(path);
  const digest = sha256(bytes);
  return await withSmall(store, bytes, async (temporary) => {
    await linkOnce(store, temporary, digest);
    return { digest, size: bytes.length };
  });
}

async function putLarge(store: string, path: string): Promise<Stored> {
  await using from = await open(path, 'r');
  return await keep(store, (to) => hashInto(from, to));
}

async function keep(store: string, write: (to: FileHandle) => Promise<Stored>): Promise<Stored> {
  let stored: Stored | null = null;
  return await withTemporary(
    store,
    async (file) => {
      stored = await write(file);
    },
    async (temporary) => {
      await linkOnce(store, temporary, stored!.digest);
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

/** Copies an object to a new file, which appears only when complete and verified. */
export async function copyVerified(store: string, digest: Digest, path: string): Promise<void> {
  await myTurn();
  const small = smallVerified(objectPath(store, digest), digest);
  if (small !== null) appearingNow(path, small);
  else await copyLarge(store, digest, path);
}

/** Null if the object is large, absent or damaged; `copyLarge` handles all three. */
function smallVerified(path: string, digest: Digest): Buffer | null {
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    if (fstatSync(file).size > SMALL_BYTES) return null;
    const bytes = readFileSync(file);
    return sha256(bytes) === digest ? bytes : null;
  } catch {
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}

const copyLarge = (store: string, digest: Digest, path: string): Promise<void> =>
  appearing(path, async (to) => {
    await using from = await opened(objectPath(store, digest), digest);
    if ((await hashInto(from, to)).digest !== digest) throw await altered(store, digest, (await from.stat()).ino);
  });

/** True if the object has the bytes of its digest. Moves wrong bytes to quarantine. */
async function sound(store: string, digest: Digest): Promise<boolean> {
  await myTurn();
  if (smallVerified(objectPath(store, digest), digest) !== null) return true;
  await using file = await opened(objectPath(store, digest), digest).catch((error: unknown) => {
    if (error instanceof SlipwayFailure) return null;
    throw error;
  });
  if (file === null) return false;
  if ((await hashOpen(file)).digest === digest) return true;
  await altered(store, digest, (await file.stat()).ino);
  return false;
}

/** Moves the object with this inode to quarantine. If that fails, the problem names its current place. */
async function altered(store: string, digest: Digest, inode: number): Promise<SlipwayFailure> {
  const path = objectPath(store, digest);
  const isIt = async (moved: string): Promise<boolean> => (await stat(moved)).ino === inode;
  const aside = await setAside(store, path, hexOf(digest), isIt).catch(() => path);
  return fail(storeAltered(digest, aside ?? 'the quarantine of the store'));
}

const opened = (path: string, digest: Digest): Promise<FileHandle> =>
  open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? fail(storeMissing(digest), error) : error;
  });

/** Links an object into the store. Altered bytes under the same digest are replaced. */
async function linkOnce(store: string, from: string, digest: Digest): Promise<void> {
  const to = objectPath(store, digest);
  chmodSync(from, 0o444);
  while (!linkFirst(from, to)) if (await sound(store, digest)) return;
}

/** Streams an object. The stream fails after its last byte if the bytes do not match, so a reader must read to the
 * end. */
async function verified(store: string, digest: Digest): Promise<AsyncIterable<Uint8Array>> {
  const file = await opened(objectPath(store, digest), digest);
  const { ino } = await file.stat();
  const bytes = file.createReadStream({ highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>;
  return compared(bytes, digest, () => altered(store, digest, ino));
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
