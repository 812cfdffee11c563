import { basename } from 'node:path';
import { type Problem } from '../../model/failure.js';
import { short } from '../../model/digest.js';

interface Lacking {
  readonly name: string;
  readonly version: string;
  /** Name of the file. Empty: any source archive of the version. */
  readonly file: string;
}

/** @param path where the release file names it
 * @param nearest files or versions that the index has */
export const sdistAbsent = (path: string, { name, version, file }: Lacking, nearest: readonly string[]): Problem => ({
  code: 'SDIST_ABSENT',
  class: 'config',
  message: `the index has no source archive ${file === '' ? '' : `${file} `}of ${name} ${version}`,
  next: nearest.length
    ? `It has one of ${nearest.join(', ')}: name one of these in \`sdist\` or \`file\`, or check the spelling.`
    : `Check the spelling of ${name} in \`sdist\`; the index offers no source archive of it at all.`,
  path,
});

/** @param why the file, and what is wrong */
export const sdistRefused = (path: string, why: string): Problem => ({
  code: 'SDIST_REFUSED',
  class: 'config',
  message: `the index offers a source archive that is not fetched: ${why}`,
  next: 'Nothing was built. Look at the page of the project in the index that `pip config list` shows; name another file or version.',
  path,
});

export const sdistFileAbsent = (path: string, file: string): Problem => ({
  code: 'SDIST_ABSENT',
  class: 'config',
  message: `the plan was made without the file ${basename(file)}`,
  next: 'Put the sdist beside the release file, and name it in `path`.',
  path,
});

export const sdistOtherProject = (path: string, file: string, found: string, wanted: string): Problem => ({
  code: 'SDIST_OTHER_PROJECT',
  class: 'config',
  message: `${file} is ${found} by its PKG-INFO, and the release file says ${wanted}`,
  next: 'Nothing was built. Correct `sdist` there, or name the file of that project.',
  path,
});

export const sha256Mismatch = (path: string, file: string, wanted: string, found: string): Problem => ({
  code: 'SHA256_MISMATCH',
  class: 'config',
  message: `${file} has sha256 ${found}, but the release file says ${wanted}`,
  next: 'Nothing was built. Compare both with what the project announces; correct `sha256` only if you trust the file.',
  path,
  details: { wanted, found },
});

export const indexUnreachable = (name: string, why: readonly string[]): Problem => ({
  code: 'INDEX_UNREACHABLE',
  class: 'infra',
  service: 'python-index',
  message: `the Python index gave no answer for ${name}`,
  next: 'Check the network, and `pip config list` for the index that is configured here.',
  evidence: why,
});

export const commitNotExported = (commit: string): Problem => ({
  code: 'SOURCE_NOT_EXPORTED',
  class: 'config',
  message: `the store holds no source of commit ${short(commit)}`,
  next: 'Start the release with `slipway run` in the repository: it exports the commit into the store.',
});

export const sourceMissing = (step: string): Problem => ({
  code: 'SOURCE_MISSING',
  class: 'bug',
  message: `${step} has no source among its inputs`,
  next: 'Report this with the output of `slipway plan --json`.',
});

export const notBuildable = (tree: string, folder: string): Problem => ({
  code: 'NO_BUILD_SYSTEM',
  class: 'product',
  message: `${tree} has no pyproject.toml and no setup.py${folder === '.' ? '' : ` in ${folder}`}, so no build backend makes a wheel of it`,
  next: 'Name the folder of the project in `folder`, add a pyproject.toml by `overlay`, or write `builder: command` with a `run` line.',
});

export const overlayAbsent = (overlay: string): Problem => ({
  code: 'OVERLAY_ABSENT',
  class: 'config',
  message: `the overlay ${overlay}/ is not beside the release file`,
  next: 'Make the folder, or correct `overlay` in the release file.',
});

export const folderOutside = (folder: string): Problem => ({
  code: 'FOLDER_ABSENT',
  class: 'config',
  message: `the source tree has no folder ${folder}`,
  next: 'Correct `folder` in the release file; it is relative to the top of the source.',
});
