import { catalogue } from '../../model/catalogue.js';
import { didYouMean } from '../../model/suggest.js';
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
  noRules: (file: string, isLink: boolean) => [
    'RULES_FILE_ABSENT',
    `the commit has ${isLink ? 'a link and no file' : 'no file'} ${shown(file)}`,
    'Name files such as .buildkite/test.rules.txt, from the top of the source, and commit them. `git ls-tree -r HEAD` lists files; 120000 is a link.',
  ],
  unknownLine: (line: string, why: string) => [
    'RULES_LINE_UNKNOWN',
    `${shown(line)} is no line of a rules file: ${why}`,
    'Correct the line: first "! TAG…" for all tags, then rules, each of paths, "@ TAG…" and ";".',
  ],
  noSuchTag: (tag: string, given: Iterable<string>, files: readonly string[]) => [
    'WHEN_TAG_WITHOUT_RULE',
    `no rule of ${files.slice(0, 3).join(', ')} gives the tag ${shown(tag)}${didYouMean(tag, given)}`,
    'Correct the tag, or add a rule with "@ TAG" to one of these files.',
  ],
  tooManyGlobs: (most: number) => [
    'RULES_TOO_MANY_GLOBS',
    `the rules files of one source have more than ${most} lines with * or ?`,
    'Write folders instead: java/ is everything below it, and counts as no glob.',
  ],
  tooCostly: (paths: number) => [
    'RULES_TOO_COSTLY',
    `its globs are too long or too many for ${paths} changed paths`,
    'Give `--since` a later commit, or write folders instead of globs.',
  ],
});
