import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
  type Dirent,
  mkdtempSync,
} from 'node:fs';
import { chmod, readdir, readFile, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hexOf } from '../../model/digest.js';
import type { RunId, StepId } from '../../model/ids.js';
import type { BundleFile } from '../../model/plan.js';
import type { Store } from '../ports.js';
import { sha256 } from '../sha256.js';

/** File with the pid of the worker that uses a folder. */
export const OWNER = 'owner';
/** Sockets on a host of a cluster lie below a folder that is named by run and slug, and their paths end at 107 characters. */
const LONGEST_SLUG = 40;
const HASH_DIGITS = 8;
/** A younger folder without an owner file is still being made. */
const BEING_MADE_MS = 60_000;
/** Most files removed synchronously. More would delay the heartbeats of other steps. */
const AT_ONCE = 200;

/** Folders of one attempt, side by side, so that `folder` starts empty. */
export interface Workspace extends AsyncDisposable {
  readonly folder: string;
  readonly files: string;
  readonly home: string;
  readonly tmp: string;
  remove(): Promise<void>;
}

/** Makes one path part of a step's id: `wheels/skiff/cp312` becomes `wheels-skiff-cp312-a538eb75`. The digits are a hash of the id:
 * the text alone is the same for `tests/x-1` and `tests/x/1`, and for long names with one end. */
export const slug = (step: StepId): string => {
  const readable = step.replaceAll('/', '-').slice(HASH_DIGITS + 1 - LONGEST_SLUG);
  return `${readable}-${hexOf(sha256(step)).slice(0, HASH_DIGITS)}`;
};

/** Run ids start with a timestamp: the first eight digits of runs in one minute are equal. The last twelve are not. */
const shortRun = (run: RunId): string => run.slice(-12);

/** Makes the folders synchronously: a turn of the thread pool costs more than a mkdir.
 * @param name unique for each attempt: `wheels-skiff-cp312-a538eb75-1` */
export async function makeWorkspace(home: string, run: RunId, name: string): Promise<Workspace> {
  const base = join(home, 'work', shortRun(run), name);
  if (!madeNew(base)) {
    await removeTree(base);
    mkdirSync(base);
  }
  const inside = (part: string): string => join(base, part);
  writeFileSync(inside(OWNER), String(process.pid));
  for (const part of ['work', 'files', 'home', 'tmp']) mkdirSync(inside(part));
  return {
    folder: inside('work'),
    files: inside('files'),
    home: inside('home'),
    tmp: inside('tmp'),
    remove: () => removeTree(base),
    [Symbol.asyncDispose]: () => removeTree(base),
  };
}

function madeNew(base: string): boolean {
  mkdirSync(dirname(base), { recursive: true });
  try {
    mkdirSync(base);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a tree. Some builds leave read-only folders, such as Go's module cache: these are made writable after a
 * first failure. */
export async function removeTree(path: string): Promise<void> {
  try {
    if (emptiedNow(path, AT_ONCE) === null) await emptied(path);
  } catch {
    if (!existsSync(path)) return;
    await makeWritable(path);
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes a folder of at most `most` entries synchronously and returns the unused rest of `most`. Null if it has more;
 * then some are already removed. */
function emptiedNow(folder: string, most: number): number | null {
  let left: number | null = most;
  for (const entry of ownerLast(readdirSync(folder, { withFileTypes: true }))) {
    if (left === 0) return null;
    left -= 1;
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) unlinkSync(path);
    else if ((left = emptiedNow(path, left)) === null) return null;
  }
  rmdirSync(folder);
  return left;
}

/** If the worker dies while it removes a folder, the next worker sees from the owner file that nobody uses the rest. */
const ownerLast = (entries: readonly Dirent[]): readonly Dirent[] =>
  entries.toSorted((a, b) => Number(a.name === OWNER) - Number(b.name === OWNER));

/** Faster than Node's `rm`, which makes four system calls for each file. */
async function emptied(folder: string): Promise<void> {
  for (const entry of ownerLast(await readdir(folder, { withFileTypes: true }))) {
    const path = join(folder, entry.name);
    await (entry.isDirectory() ? emptied(path) : unlink(path));
  }
  await rmdir(folder);
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => undefined);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
  }
}

export async function unpackFiles(store: Store, files: readonly BundleFile[], folder: string): Promise<void> {
  for (const file of files) {
    const path = join(folder, file.path);
    await store.fetch(file.digest, path);
    if (file.executable) await chmod(path, 0o755);
  }
}

async function inUse(base: string, alive: (pid: number) => boolean): Promise<boolean> {
  const owner = Number(await readFile(join(base, OWNER), 'utf8').catch(() => '0'));
  if (owner > 0) return alive(owner);
  const seen = await stat(base).catch(() => null);
  return seen !== null && Date.now() - seen.mtimeMs < BEING_MADE_MS;
}

/** Removes folders of attempts whose worker is gone. Returns their number. */
export async function sweepWorkspaces(home: string, alive: (pid: number) => boolean): Promise<number> {
  const root = join(home, 'work');
  const folders = async (path: string): Promise<string[]> =>
    (await readdir(path).catch((): string[] => [])).map((name) => join(path, name));
  let removed = 0;
  for (const base of (await Promise.all((await folders(root)).map(folders))).flat()) {
    if (await inUse(base, alive)) continue;
    await removeTree(base);
    removed += 1;
  }
  return removed;
}

/** Makes a folder that this user alone may open. `sweepWorkspaces` removes it if this worker dies. */
export function makePrivateFolder(home: string, group: string): Pick<Workspace, 'folder' | 'remove'> {
  const parent = join(home, 'work', group);
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, `${process.pid}-`));
  writeFileSync(join(folder, OWNER), String(process.pid));
  return { folder, remove: () => removeTree(folder) };
}
