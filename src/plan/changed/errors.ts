import { catalogue } from '../../model/catalogue.js';
import { config, shown } from '../errors.js';

export const problems = catalogue(config, {
  noFile: (glob: string) => [
    'WHEN_GLOB_WITHOUT_FILE',
    `${shown(glob)} matches no file of the commit`,
    'Correct it: * stays within a folder, java/** is everything below one, and paths begin at the top of the source. `git ls-tree -r --name-only HEAD` lists them.',
  ],
  sinceUnused: (since: string) => [
    'SINCE_WITHOUT_CONDITION',
    `--since ${shown(since)} has no effect: no entry has \`when: { changed }\``,
    'Leave `--since` out, or add `when: { changed: [src/**] }` to the entries that it may leave out.',
  ],
  noCommit: (source: string) => [
    'WHEN_CHANGED_WITHOUT_COMMIT',
    `\`when: { changed }\` compares commits, and ${source} is none`,
    'Write `source: { git: . }`, or take `when` away.',
  ],
});
