import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
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
