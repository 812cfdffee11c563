import { constants, type Dirent } from 'node:fs';
import { open, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import { nameFault } from '../../model/file-name.js';
import type { HouseWheel, LeftAlone, Wheelhouse } from '../../model/folder-prune.js';
import { STATEMENT } from '../../model/python/index-entry.js';
import { parseWheelName } from '../../model/python/file-name.js';
import { houseAbsent, houseTooLarge } from './errors.js';
import { zipFault } from './zip-fault.js';
import { sha256OfStream } from '../sha256.js';

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
