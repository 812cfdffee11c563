import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { jsonIn } from '../model/json.js';

/** Reads a JSON file that can be made again. Null if it is absent or damaged. */
export function readJson<T>(path: string): T | null {
  try {
    return jsonIn(readFileSync(path, 'utf8')) as T | null;
  } catch {
    return null;
  }
}

/** Reads such a file without blocking the process. */
export const readJsonLater = <T>(path: string): Promise<T | null> =>
  readFile(path, 'utf8').then(
    (text) => jsonIn(text) as T | null,
    () => null,
  );

/** Writes JSON that only this user reads, by rename: a reader never sees half of a file. */
export async function keepJson(path: string, value: object): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const half = `${path}.${randomUUID()}.half`;
  await writeFile(half, JSON.stringify(value), { mode: 0o600 });
  await rename(half, path);
}
