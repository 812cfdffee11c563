import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../../activities/ports.js';
import { fail } from '../../model/failure.js';
import { recordDamaged, recordTooLong } from './errors.js';
import { isRecordFile, partOf, prefixPath, recordPath } from './names.js';
import { setAside } from './quarantine.js';
import { secondNames } from './second-names.js';
import { isWhatWasSeen, MOST_RECORD_BYTES, parseRecord } from './record-text.js';
import { linkFirst, withSmall } from './temporary.js';
import { myTurn } from './turns.js';

/** Attempts to create a record that exists but cannot be read, such as a dangling link. */
const MOST_TRIES = 5;

/** Records by name at `records/<name>.json`: link(2) of a finished file decides who was first. */
export function createRecords(store: string): Required<Pick<Store, 'create' | 'read' | 'again' | 'list' | 'setAside'>> {
  const folder = join(store, 'records');
  return {
    create: async (name, value) => create(store, join(folder, recordPath(name)), name, value),
    read: async (name) => read(join(folder, recordPath(name)), name),
    again: async <T>(names: readonly { readonly of: string; readonly as: string }[]) => {
      const at = (name: string): string => join(folder, recordPath(name));
      const there = await secondNames(
        store,
        names.map(({ of, as }) => ({ of: at(of), as: at(as) })),
      );
      return Promise.all(names.map(({ as }, index) => (there[index] ? read<T>(at(as), as) : null)));
    },
    list: async (prefix) => (await list(join(folder, prefixPath(prefix)), prefix)).sort(),
    setAside: async (name, seen) => {
      const path = recordPath(name);
      const isIt = async (moved: string): Promise<boolean> => isWhatWasSeen(() => read(moved, name), seen);
      await setAside(store, join(folder, path), join('records', path), isIt);
    },
  };
}

async function create<T>(store: string, path: string, name: string, value: T): Promise<{ created: boolean; value: T }> {
  for (let tries = 1; ; tries += 1) {
    const first = await read<T>(path, name);
    if (first !== null) return { created: false, value: first };
    if (await withSmall(store, `${JSON.stringify(value)}\n`, (temporary) => linkFirst(temporary, path)))
      return { created: true, value };
    // The first record may have been moved to quarantine meanwhile.
    if (tries === MOST_TRIES) throw fail(recordDamaged(name, path));
  }
}

async function read<T>(path: string, name: string): Promise<T | null> {
  await myTurn();
  const text = textOf(path, name);
  return text === null ? null : parseRecord<T>(text, name, path);
}

/** Reads synchronously: for thousands of small records this takes a twentieth of the thread pool's time. */
function textOf(path: string, name: string): string | null {
  const file = opened(path);
  if (file === null) return null;
  try {
    const small = smallText(file);
    if (small !== null) return small;
    if (fstatSync(file).size > MOST_RECORD_BYTES) throw fail(recordTooLong(name, path, MOST_RECORD_BYTES));
    return readFileSync(path, 'utf8');
  } finally {
    closeSync(file);
  }
}

function opened(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/** Most records fit into it. Reads are synchronous, so one buffer serves all of them. */
const SMALL = Buffer.allocUnsafeSlow(64 * 1024);

/** Returns the text of a short file without asking for its size. Null for a longer one. */
function smallText(file: number): string | null {
  let size = 0;
  while (size < SMALL.length) {
    const more = readSync(file, SMALL, size, SMALL.length - size, null);
    if (more === 0) return SMALL.toString('utf8', 0, size);
    size += more;
  }
  return null;
}

/** Synchronous, as reads are. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Adds to one array: as arguments of a call, a year of outcomes would overflow the stack. */
async function list(folder: string, prefix: string, names: string[] = []): Promise<string[]> {
  await myTurn();
  const entries = entriesOf(folder);
  for (const entry of entries) {
    const name = prefix + partOf(entry.name);
    if (entry.isDirectory()) await list(join(folder, entry.name), `${name}/`, names);
    else if (isRecordFile(entry.name)) names.push(name);
  }
  return names;
}
