import type { SourceLocation } from '../../model/failure.js';
import { readYaml } from '../../plan/read/document.js';
import { readReleaseText } from './release-text.js';

/** Where in a release file the value behind a path such as `wheels.skiff.on` stands, or the nearest thing around it;
 * null where the file has none of it. */
export async function createLocate(
  file: string,
  cwd: string = process.cwd(),
): Promise<(path: string) => SourceLocation | null> {
  // Taken away or changed since it was planned: then nothing has a place.
  const read = await readReleaseText(file, cwd).catch(() => null);
  const source = read && readYaml(read.text, read.shown);
  if (source === null || !('value' in source)) return () => null;
  return (path) => {
    const keys = keysOf(source.value, path);
    return keys.length === 0 ? null : (source.at(keys).place ?? null);
  };
}

/** Names may hold dots: of the keys that fit, the longest is meant. */
function keysOf(value: unknown, path: string): readonly string[] {
  if (path === '' || typeof value !== 'object' || value === null) return [];
  const fitting = Object.keys(value).filter((key) => path === key || path.startsWith(`${key}.`));
  const key = fitting.sort((a, b) => b.length - a.length)[0];
  if (key === undefined) return [];
  return [key, ...keysOf((value as Record<string, unknown>)[key], path.slice(key.length + 1))];
}
