import { normalised } from './simple-page.js';

/** Version in the name of a wheel or sdist of `project`; null for another project's file or an unknown ending.
 * Names: packaging.python.org/specifications/binary-distribution-format and …/source-distribution-format. */
export function fileVersion(project: string, file: string): string | null {
  const stem = /^(.+)\.(?:whl|tar\.gz|zip|tar\.bz2)$/.exec(file)?.[1];
  if (stem === undefined) return null;
  if (!file.endsWith('.whl')) return sdistVersion(project, stem);
  const [name, version] = stem.split('-');
  return name !== undefined && version !== undefined && normalised(name) === normalised(project) ? version : null;
}

/** Old sdists keep dashes in the name, so the project decides where the version begins. */
function sdistVersion(project: string, stem: string): string | null {
  const cut = stem.lastIndexOf('-');
  if (cut <= 0) return null;
  return normalised(stem.slice(0, cut)) === normalised(project) ? stem.slice(cut + 1) : null;
}

/** Project of a wheel or sdist, from its file name. */
export function projectOf(file: string): string {
  const stem = file.replace(/\.(whl|tar\.gz|zip|tar\.bz2)$/, '');
  return file.endsWith('.whl') ? stem.split('-')[0]! : stem.slice(0, stem.lastIndexOf('-'));
}
