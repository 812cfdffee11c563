import { catalogue } from '../../model/catalogue.js';
import { config, shown } from '../errors.js';

export const problems = catalogue(config, {
  ofPipeline: () => [
    'SNAPSHOT_OF_PIPELINE',
    'a pipeline has a label and no version that a snapshot could be of',
    'Leave `--snapshot` out; `--label commit` names the commit.',
  ],
  withoutCommit: () => [
    'SNAPSHOT_WITHOUT_COMMIT',
    'a snapshot counts commits, and the source of the file is no git commit',
    'Leave `--snapshot` out, or write `source: { git: . }`.',
  ],
  notPython: (version: string) => [
    'SNAPSHOT_NOT_PEP440',
    `the file builds Python packages, and PEP 440 has no snapshot of the version ${shown(version)}`,
    'Correct `release.version`: 1.4.2, 1.4.2rc1.',
  ],
  invalid: (said: string, version: string) => [
    'SNAPSHOT_VERSION_INVALID',
    `the snapshot of ${shown(said)} would be ${shown(version)}, which is no version or longer than 80 characters`,
    'Write the coming version into `release.version`: 1.4.2, 1.4.2.dev0, 1.4.2-SNAPSHOT.',
  ],
  fixedTag: (id: string, tag: string) => [
    'SNAPSHOT_VERSION_FIXED',
    `the tag ${shown(tag)} of ${id} names neither the version nor the commit: a snapshot would take it from the release`,
    'Write {version} or {commit} in the tag, or {sha6} in the file of rules.',
  ],
  fixed: (id: string, said: string | null, snapshot: string, next: string) => [
    'SNAPSHOT_VERSION_FIXED',
    said === null
      ? `nothing tells the build of ${id} that its version is ${snapshot}`
      : `${id} gets the version ${shown(said)} from here, and not ${snapshot}`,
    next,
  ],
});
