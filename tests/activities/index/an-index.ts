import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { openFolder } from '../../../src/adapters/static-index/folder.js';
import { indexPaths } from '../../../src/model/python/index-entry.js';
import { projectOf } from '../../../src/engine/index/listed.js';
import type { IndexPlace } from '../../../src/activities/index/ports.js';
import { anEntry } from '../../engine/index/an-entry.js';

const refuse = (): Promise<never> => Promise.reject(new Error('no orders'));
/** Ports of a writer that gets no orders to prune. */
export const NO_ORDERS = { orders: { read: refuse, connect: refuse }, now: Date.now };

export const PLATFORM = 'debian-12';

export const newRoot = (): string => mkdtempSync(join(tmpdir(), 'slipway-index-'));
export const aFolder = (root = newRoot()) => ({ root, place: openFolder('cache', root) });

/** Puts the file and the entry of a wheel into an index, as a publisher does. */
export async function put(place: IndexPlace, file: string, platform = PLATFORM): Promise<void> {
  const project = projectOf(file);
  await place.create(indexPaths.file(platform, project, file), file);
  await place.create(indexPaths.entry(platform, project, file), JSON.stringify(anEntry(file)));
}

export const wheel = (project: string, version: string): string => `${project}-${version}-py3-none-any.whl`;

/** File names on the page of a project. Throws if the page is invalid or names an absent file. */
export function listedIn(root: string, project: string, platform = PLATFORM): readonly string[] {
  const path = join(root, indexPaths.page(platform, project, 'json'));
  if (!existsSync(path)) return [];
  const { files } = JSON.parse(readFileSync(path, 'utf8')) as { files: { filename: string; url: string }[] };
  for (const { url, filename } of files)
    if (!existsSync(join(root, platform, 'simple', project, decodeURIComponent(url))))
      throw new Error(`the page of ${project} names ${filename}, which is absent`);
  return files.map(({ filename }) => filename);
}

/** Text and modification time of every file, by path. */
export const snapshot = (root: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => join(one.parentPath, one.name))
      .map((path) => [relative(root, path), `${statSync(path).mtimeMs} ${readFileSync(path, 'utf8')}`]),
  );
