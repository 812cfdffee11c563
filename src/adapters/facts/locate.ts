import type { SourceLocation } from '../../model/failure.js';
import { readYaml } from '../../plan/read/document.js';
import { readReleaseText } from './release-text.js';

/** Returns a function from a path such as `wheels.skiff.on` to its location in the release file, or to its nearest
 * parent's. The function returns null if the file lacks the path. */
export async function createLocate(
  file: string,
  cwd: string = process.cwd(),
): Promise<(path: string) => SourceLocation | null> {
  // The file may be gone or changed since planning; then no path has a location.
  const read = await readReleaseText(file, cwd).catch(() => null);
  const source = read && readYaml(read.text, read.shown);
  if (source === null || !('value' in source)) return () => null;
  return (path) => {
    const keys = keysOf(source.value, path);
    return keys.length === 0 ? null : (source.at(keys).place ?? null);
  };
}

/** Names may contain dots, so the longest matching key wins. */
function keysOf(value: unknown, path: string): readonly string[] {
  if (path === '' || typeof value !== 'object' || value === null) return [];
  const fitting = Object.keys(value).filter((key) => path === key || path.startsWith(`${key}.`));
  const key = fitting.sort((a, b) => b.length - a.length)[0];
  if (key === undefined) return [];
  return [key, ...keysOf((value as Record<string, unknown>)[key], path.slice(key.length + 1))];
}
