import { basename } from 'node:path';
import { problem } from '../../model/problem.js';
import type { Problem } from '../../model/failure.js';
import { short } from '../../model/digest.js';

interface Lacking {
  readonly name: string;
  readonly version: string;
  /** Name of the file. Empty: any source archive of the version. */
  readonly file: string;
}

/** @param path where the release file names it
 * @param nearest files or versions that the index has */
export const sdistAbsent = problem.config(
  (path: string, { name, version, file }: Lacking, nearest: readonly string[]) => [
    'SDIST_ABSENT',
    `the index has no source archive ${file === '' ? '' : `${file} `}of ${name} ${version}`,
    nearest.length
      ? `It has one of ${nearest.join(', ')}: name one of these in \`sdist\` or \`file\`, or check the spelling.`
      : `Check the spelling of ${name} in \`sdist\`; the index offers no source archive of it at all.`,
    { path },
  ],
);
/** @param why the file, and what is wrong */
export const sdistRefused = problem.config((path: string, why: string) => [
  'SDIST_REFUSED',
  `the index offers a source archive that is not fetched: ${why}`,
  'Nothing was built. Look at the page of the project in the index that `pip config list` shows; name another file or version.',
  { path },
]);
export const sdistFileAbsent = problem.config((path: string, file: string) => [
  'SDIST_ABSENT',
  `the plan was made without the file ${basename(file)}`,
  'Put the sdist beside the release file, and name it in `path`.',
  { path },
]);
export const sdistOtherProject = problem.config((path: string, file: string, found: string, wanted: string) => [
  'SDIST_OTHER_PROJECT',
  `${file} is ${found} by its PKG-INFO, and the release file says ${wanted}`,
  'Nothing was built. Correct `sdist` there, or name the file of that project.',
  { path },
]);
export const sha256Mismatch = problem.config((path: string, file: string, wanted: string, found: string) => [
  'SHA256_MISMATCH',
  `${file} has sha256 ${found}, but the release file says ${wanted}`,
  'Nothing was built. Compare both with what the project announces; correct `sha256` only if you trust the file.',
  { path, details: { wanted, found } },
]);

export const indexUnreachable = (name: string, why: readonly string[]): Problem => ({
  code: 'INDEX_UNREACHABLE',
  class: 'infra',
  service: 'python-index',
  message: `the Python index gave no answer for ${name}`,
  next: 'Check the network, and `pip config list` for the index that is configured here.',
  evidence: why,
});

export const commitNotExported = problem.config((commit: string) => [
  'SOURCE_NOT_EXPORTED',
  `the store holds no source of commit ${short(commit)}`,
  'Start the release with `slipway run` in the repository: it exports the commit into the store.',
]);
export const sourceMissing = problem.bug((step: string) => [
  'SOURCE_MISSING',
  `${step} has no source among its inputs`,
  'Report this with the output of `slipway plan --json`.',
]);
export const notBuildable = problem.product((tree: string, folder: string) => [
  'NO_BUILD_SYSTEM',
  `${tree} has no pyproject.toml and no setup.py${folder === '.' ? '' : ` in ${folder}`}, so no build backend makes a wheel of it`,
  'Name the folder of the project in `folder`, add a pyproject.toml by `overlay`, or write `builder: command` with a `run` line.',
]);
export const overlayAbsent = problem.config((overlay: string) => [
  'OVERLAY_ABSENT',
  `the overlay ${overlay}/ is not beside the release file`,
  'Make the folder, or correct `overlay` in the release file.',
]);
export const folderOutside = problem.config((folder: string) => [
  'FOLDER_ABSENT',
  `the source tree has no folder ${folder}`,
  'Correct `folder` in the release file; it is relative to the top of the source.',
]);
