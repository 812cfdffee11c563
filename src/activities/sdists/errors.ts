import { fail } from '../../model/failure.js';
import { problem } from '../../model/problem.js';
import { versionInName } from '../../model/python/file-name.js';
import { sameVersion } from '../../model/python/version.js';

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
const versionDiffers = problem.product((file: string, found: string, wanted: string) => [
  'VERSION_DIFFERS',
  `${file} is version ${found}, and ${wanted} is wanted`,
  'Correct `release.version`, or `version` of its entry in `sources`; or let the source carry that version.',
]);

/** Throws VERSION_DIFFERS if the name of an sdist has another version than its step. Wheels of it would fail one by one. */
export function assertVersion(
  { project, version = null }: { readonly project: string; readonly version?: string | null },
  file: string,
): void {
  const found = versionInName(project, file);
  if (version !== null && found !== null && !sameVersion(found, version))
    throw fail(versionDiffers(file, found, version));
}
