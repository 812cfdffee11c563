import { createReadStream, type Dirent } from 'node:fs';
import { readdir, readlink, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../../model/failure.js';
import type { BundleFile } from '../../model/plan.js';
import { homeIfNamed } from '../home.js';
import { problems } from './errors.js';
import { sha256OfStream } from '../sha256.js';

const MAX_FILES = 2000;
const MAX_BYTES = 64 * 1024 * 1024;

/** Folders that are never part of a bundle: history, state, tools, build output. Neither are the home and virtual environments. */
const LEFT_OUT = new Set([
  '.git',
  '.slipway',
  '.tools',
  'node_modules',
  'dist',
  '__pycache__',
  '.venv',
  '.mypy_cache',
  '.pytest_cache',
]);

interface Seen {
  readonly path: string;
  readonly size: number;
  readonly executable: boolean;
}

/** Returns all regular files below the release file's folder with digests, sorted by path. Throws BUNDLE_LINK or
 * BUNDLE_TOO_BIG. */
export async function readBundle(folder: string, shown: string): Promise<readonly BundleFile[]> {
  const seen = await measureBundle(folder, shown);
  const files: BundleFile[] = [];
  for (const file of seen) {
    const { digest } = await sha256OfStream(createReadStream(join(folder, file.path)));
    files.push({ ...file, digest });
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns the same files without digests. Throws BUNDLE_TOO_BIG or BUNDLE_LINK. */
export async function measureBundle(folder: string, shown: string): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  const named = homeIfNamed();
  const own = named && (await realpath(named).catch(() => null));
  await walk({ folder: await realpath(folder), own, seen, shown }, '');
  const bytes = seen.reduce((sum, file) => sum + file.size, 0);
  if (bytes > MAX_BYTES)
    throw fail(problems.bundleTooBig(shown, `${Math.round(bytes / 1_048_576)} MiB; at most 64 are taken along`));
  return seen;
}

interface Walk {
  readonly folder: string;
  /** The home: it has keys, which no plan may take along. */
  readonly own: string | null;
  readonly seen: Seen[];
  readonly shown: string;
}

async function walk(walked: Walk, below: string): Promise<void> {
  const { folder, own, seen, shown } = walked;
  const entries = await readdir(join(folder, below), { withFileTypes: true });
  const isVirtualEnvironment = entries.some(({ name }) => name === 'pyvenv.cfg');
  if (below !== '' && (isVirtualEnvironment || join(folder, below) === own)) return;
  for (const entry of entries) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!LEFT_OUT.has(entry.name)) await walk(walked, path);
    } else await take(folder, path, entry, seen);
    if (seen.length > MAX_FILES) throw fail(problems.bundleTooBig(shown, `more than ${MAX_FILES} files`));
  }
}

async function take(folder: string, path: string, entry: Dirent, seen: Seen[]): Promise<void> {
  if (entry.isSymbolicLink()) throw fail(problems.bundleLink(path, await readlink(join(folder, path))));
  if (!entry.isFile() || entry.name.endsWith('.pyc')) return;
  const { size, mode } = await stat(join(folder, path));
  seen.push({ path, size, executable: (mode & 0o100) !== 0 });
}
