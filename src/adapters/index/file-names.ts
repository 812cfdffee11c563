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

const LETTERS: Readonly<Record<string, string>> = { alpha: 'a', beta: 'b', c: 'rc', pre: 'rc', preview: 'rc' };

/** A version in the one spelling that file names have: `v2026.01-rc.1` is `2026.1rc1`. What is no version stays as it is.
 * Source: packaging.python.org/specifications/version-specifiers, "Normalization". Zeros at the end say nothing. */
function spelled(version: string): string {
  const [all = '', local] = version.toLowerCase().replace(/^v/, '').split('+');
  const main = all
    .replace(/^\d+(?:\.\d+)*/, (numbers) =>
      numbers
        .split('.')
        .map(Number)
        .join('.')
        .replace(/(?:\.0)+$/, ''),
    )
    .replace(/-(\d+)$/, '.post$1')
    .replace(
      /[-_.]?(alpha|beta|preview|pre|rc|a|b|c)[-_.]?(\d*)/,
      (_, word: string, n: string) => `${LETTERS[word] ?? word}${Number(n)}`,
    )
    .replace(/[-_.]?(?:post|rev|r(?!c))[-_.]?(\d*)/, (_, n: string) => `.post${Number(n)}`)
    .replace(/[-_.]?dev[-_.]?(\d*)/, (_, n: string) => `.dev${Number(n)}`);
  return local === undefined ? main : `${main}+${local.replace(/[-_]/g, '.')}`;
}

/** Whether an index takes both for one version. */
export const sameVersion = (a: string, b: string): boolean => spelled(a) === spelled(b);
