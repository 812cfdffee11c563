import { chmod, mkdir, readdir, readFile, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunId, StepId } from '../../model/ids.js';
import type { BundleFile } from '../../model/plan.js';
import type { Store } from '../ports.js';

const OWNER = 'owner';
const LONGEST_SLUG = 60;
/** A folder without an owner that is younger than this is just being made. */
const BEING_MADE_MS = 60_000;

/** Folders of one attempt, side by side, so that `folder` starts empty. */
export interface Workspace {
  readonly folder: string;
  readonly files: string;
  readonly home: string;
  readonly tmp: string;
  remove(): Promise<void>;
}

/** Path parts from a step's id: `wheels/skiff/cp312` is `wheels-skiff-cp312`. */
export const slug = (step: StepId): string => step.replaceAll('/', '-').slice(-LONGEST_SLUG);

/** Ids of runs begin with the time: those of one minute share their first eight digits, and none their last twelve. */
const shortRun = (run: RunId): string => run.slice(-12);

/** @param name tells attempts apart: `wheels-skiff-cp312-1` */
export async function makeWorkspace(home: string, run: RunId, name: string): Promise<Workspace> {
  const base = join(home, 'work', shortRun(run), name);
  await removeTree(base);
  const inside = (part: string): string => join(base, part);
  await Promise.all(['work', 'files', 'home', 'tmp'].map((part) => mkdir(inside(part), { recursive: true })));
  await writeFile(inside(OWNER), String(process.pid));
  return {
    folder: inside('work'),
    files: inside('files'),
    home: inside('home'),
    tmp: inside('tmp'),
    remove: () => removeTree(base),
  };
}

/** Builds leave read-only folders behind (Go modules, for one): made writable where the first try fails. */
async function removeTree(path: string): Promise<void> {
  try {
    await emptied(path);
  } catch {
    await makeWritable(path);
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Node's own `rm` asks four questions for each file; a step's folders are most of its small change. */
async function emptied(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(nullIfAbsent);
  if (entries === null) return;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    await (entry.isDirectory() ? emptied(path) : unlink(path));
  }
  await rmdir(folder);
}

function nullIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
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

/** Removes folders of attempts whose worker is gone; answers how many. */
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
