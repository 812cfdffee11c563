import { judgeVersion } from '../../engine/checks/wheel.js';
import { fail } from '../../model/failure.js';
import { problem } from '../../model/problem.js';
import { versionInName } from '../../model/python/file-name.js';
import { refused } from '../wheels/errors.js';

export const sdistNotInSource = problem.config((step: string) => [
  'SDIST_NOT_IN_SOURCE',
  `${step} takes the source's own sdist, and the source is not one`,
  'Leave out `from: source`: the sdist is then built from the commit.',
]);
export const sdistNotMade = problem.product((outputs: readonly string[], found: readonly string[]) => [
  'SDIST_NOT_MADE',
  `one .tar.gz was expected at ${outputs.join(', ')}; there is ${found.join(', ') || 'none'}`,
  'Let the command write one source archive into {out}, or name the place in `outputs`.',
]);

/** Throws VERSION_DIFFERS if the name of an sdist has another version than its step. Wheels of it would fail one by one. */
export function assertVersion(
  { project, version = null }: { readonly project: string; readonly version?: string | null },
  file: string,
): void {
  const found = versionInName(project, file);
  const wrong = found === null ? [] : judgeVersion(file, found, version);
  if (wrong.length > 0) throw fail(wrong.map(refused));
}
