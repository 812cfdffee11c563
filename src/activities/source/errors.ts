import { type Problem } from '../../model/failure.js';
import { short } from '../../model/digest.js';

export const sdistAbsent = (name: string, version: string, nearest: readonly string[]): Problem => ({
  code: 'SDIST_ABSENT',
  class: 'config',
  message: `the index has no source archive of ${name} ${version}`,
  next: nearest.length
    ? `It has one of ${nearest.join(', ')}: name one of these in \`source.sdist\`, or check the spelling.`
    : `Check the spelling of ${name} in \`source.sdist\`; the index offers no source archive of it at all.`,
  path: 'source.sdist',
});

export const sha256Mismatch = (file: string, wanted: string, found: string): Problem => ({
  code: 'SHA256_MISMATCH',
  class: 'config',
  message: `${file} has sha256 ${found}, but the release file says ${wanted}`,
  next: 'Nothing was built. Compare both with what the project announces; correct `source.sha256` only if you trust the file.',
  path: 'source.sha256',
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
