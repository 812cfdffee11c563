import type { BundleFile } from './plan.js';
import { trimmedEnd } from './trim.js';

/** Returns bundle files by path or folder. `''` means all files. */
export function namedFiles(bundle: readonly BundleFile[], prefixes: readonly string[]): readonly BundleFile[] {
  const named = new Set(prefixes.map((prefix) => trimmedEnd(prefix, '/')));
  const isNamed = (path: string): boolean =>
    path.split('/').some((_, at, parts) => named.has(parts.slice(0, at + 1).join('/')));
  return named.has('') ? bundle : bundle.filter(({ path }) => isNamed(path));
}
