import { constants, type Dirent } from 'node:fs';
import { open, readdir, realpath, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import { nameFault } from '../../model/file-name.js';
import type { HouseWheel, LeftAlone, Wheelhouse } from '../../model/folder-prune.js';
import { STATEMENT } from '../../model/python/index-entry.js';
import { parseWheelName } from '../../model/python/file-name.js';
import { houseAbsent, houseTooLarge } from './errors.js';
import { sha256OfStream } from '../sha256.js';

/** The record at the end of a zip archive, and the longest comment behind it. */
const END = Buffer.from('PK\u0005\u0006', 'latin1');
const END_BYTES = 22;
const MOST_END_BYTES = END_BYTES + 65_535;
const ENTRY = Buffer.from('PK\u0001\u0002', 'latin1');
const CUT_OFF = 'it is no zip archive, or it is cut off';

/** A link is not followed, and a pipe is not waited for. */
const HOW = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const MOST_FILES = 200_000;

interface Found {
  readonly folder: string;
  readonly entry: Dirent;
  /** Names beside it. */
  readonly beside: ReadonlySet<string>;
}

/** Reads all wheels of a folder and of the folders below it. Links are never followed; what is no plain file is left alone. */
export async function readWheelhouse(folder: string): Promise<Wheelhouse> {
  const path = await realpath(folder).catch((error: unknown) => {
    throw fail(houseAbsent(folder, (error as Error).message), error);
  });
  const [wheels, left]: [HouseWheel[], LeftAlone[]] = [[], []];
  for (const found of await filesIn(path, folder)) {
    const one = await readOne(path, found);
    if ('because' in one) left.push(one);
    else wheels.push(one);
  }
  return { path, wheels, left };
}

async function filesIn(path: string, named: string): Promise<readonly Found[]> {
  const found: Found[] = [];
  const folders = ['.'];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(join(path, folder), { withFileTypes: true }).catch((error: unknown) => {
      throw fail(houseAbsent(join(named, folder), (error as Error).message), error);
    });
    const beside = new Set(entries.map(({ name }) => name));
    for (const entry of entries)
      if (!entry.isDirectory()) found.push({ folder, entry, beside });
      else if (!entry.name.startsWith('.')) folders.push(join(folder, entry.name));
    if (found.length > MOST_FILES) throw fail(houseTooLarge(named, MOST_FILES));
  }
  return found.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

const keyOf = ({ folder, entry }: Found): string => `${folder}/${entry.name}`;

async function readOne(path: string, { folder, entry, beside }: Found): Promise<HouseWheel | LeftAlone> {
  const file = entry.name;
  const left = (because: string): LeftAlone => ({ folder, file, because });
  if (!entry.isFile()) return left('it is a link or a special file');
  if (nameFault(file) !== null || parseWheelName(file) === null) return left('its name is no wheel');
  if (beside.has(file + STATEMENT)) return left('an index of Slipway holds it: prune the index');
  const read = await readWheel(join(path, folder, file)).catch(() => null);
  return read === null ? left('it cannot be read') : { folder, file, ...read };
}

/** Reads a plain file. Null if it is something else. */
export async function readWheel(path: string): Promise<Omit<HouseWheel, 'folder' | 'file'> | null> {
  await using file = await open(path, HOW);
  const seen = await file.stat();
  if (!seen.isFile()) return null;
  const { size, mtime } = seen;
  const fault = await zipFault(file, size);
  const { digest } = await sha256OfStream(file.createReadStream({ start: 0, autoClose: false }));
  return { digest, size, changedAt: mtime.toISOString(), fault };
}

/** Returns why a file is no whole zip archive. Null if it is one. It reads only the end and one entry of the list. */
async function zipFault(file: FileHandle, size: number): Promise<string | null> {
  const length = Math.min(size, MOST_END_BYTES);
  const tail = await bytesAt(file, size - length, length);
  const at = tail.lastIndexOf(END);
  if (at < 0 || tail.length - at < END_BYTES) return CUT_OFF;
  const listBytes = tail.readUInt32LE(at + 12);
  const listAt = size - length + at - listBytes;
  // An archive of 4 GiB and more has its sizes in another record.
  if (listBytes === 0xffff_ffff) return null;
  if (tail.readUInt16LE(at + 10) === 0) return 'it is an empty zip archive';
  return listAt >= 0 && (await bytesAt(file, listAt, ENTRY.length)).equals(ENTRY) ? null : CUT_OFF;
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
