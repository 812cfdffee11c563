import { chmod, lstat, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { LogReader, Store } from '../../activities/ports.js';
import { fail } from '../../model/failure.js';
import { folderTaken } from '../errors.js';
import { createLogView } from '../render/log-view.js';
import type { Content, ViewFile } from './view.js';

interface Reads {
  readonly store: Pick<Store, 'fetch'>;
  readonly logs: LogReader;
}

/** Writes files to a folder that is absent or empty: all of them, or none. They are written beside it and moved at the
 * end, so a killed command leaves only a folder `.NAME.unfinished-…`. Throws EXPORT_FOLDER_TAKEN, also for a link.
 * @returns the absolute path of the folder */
export async function writeView(folder: string, files: readonly ViewFile[], reads: Reads): Promise<string> {
  const path = resolve(folder);
  if (path === process.cwd() || !(await isFree(path))) throw fail(folderTaken(folder));
  await mkdir(dirname(path), { recursive: true });
  const beside = await mkdtemp(join(dirname(path), `.${basename(path).slice(0, 100)}.unfinished-`));
  try {
    for (const file of files) {
      const to = join(beside, file.path);
      await mkdir(dirname(to), { recursive: true });
      await write(to, file.content, reads);
    }
    await chmod(beside, 0o755);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { recursive: true, force: true });
    throw TAKEN.has((error as NodeJS.ErrnoException).code ?? '') ? fail(folderTaken(folder), error) : error;
  }
  return path;
}
/** Answers of `rename` where something else took the path meanwhile. */
const TAKEN: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR']);

async function isFree(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null);
  return found === null || (found.isDirectory() && (await readdir(path)).length === 0);
}

/** Creates a file. It was absent: the folder is this command's own. */
async function write(to: string, content: Content, { store, logs }: Reads): Promise<void> {
  if (typeof content === 'string') return writeFile(to, content, { flag: 'wx' });
  if ('digest' in content) return store.fetch(content.digest, to);
  await writeFile(to, printed(content.logs, logs), { flag: 'wx' });
}

/** Yields the text that `slipway logs` prints of attempts. */
async function* printed(attempts: readonly string[], logs: LogReader): AsyncGenerator<string> {
  let text = '';
  const view = createLogView((line) => (text += line));
  for (const attempt of attempts) {
    for await (const piece of logs.pieces(attempt, { follow: false })) {
      view.push(piece);
      yield text;
      text = '';
    }
    view.end();
  }
  yield text;
}
