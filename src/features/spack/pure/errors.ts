import { config, quoted, some } from '../../../importers/file-problem.js';
import { catalogue } from '../../../model/catalogue.js';

const LOCK_AGAIN = 'Lock the environment again (`slipway env lock`), and commit spack.lock.';

/** Problems in the files of an environment, one function per code. */
export const problems = catalogue(config, {
  absent: (file: string) => [
    'ENVIRONMENT_ABSENT',
    `the commit has no file ${quoted(file)}`,
    'Correct the key "file" of the import: a path from the top of the source.',
  ],
  noEnvironment: (why: string) => [
    'ENVIRONMENT_INVALID',
    `this is no Spack environment: ${why}`,
    'Correct it, and commit it.',
  ],
  recipesAbsent: (folder: string, namespace: string) => [
    'RECIPES_ABSENT',
    `the recipes of ${namespace} are to be in ${quoted(folder)}, and the commit has no repo.yaml there`,
    'Correct `recipes` of the import, or commit the repository of recipes.',
  ],
  recipeAbsent: (folder: string, name: string) => [
    'RECIPE_ABSENT',
    `the lock has ${name}, and the commit has no ${quoted(`${folder}/package.py`)}`,
    'Commit the recipe, or concretize the environment without it.',
  ],
  pattern: (why: string) => ['SPEC_NOT_UNDERSTOOD', why, 'Write the pattern in other words, and commit it.'],
  jobUnmapped: (name: string) => [
    'JOB_UNMAPPED',
    `no mapping of spack.yaml fits the root that needs ${name}`,
    'Add a mapping that fits it, and commit it.',
  ],
  tagsUnserved: (name: string, tags: readonly string[], row: string, lacking: readonly string[]) => [
    'TAGS_UNSERVED',
    `no runner has all tags of ${name}: ${tags.join(', ')}; ${row} lacks ${lacking.join(', ')}`,
    'Add the tags to a row of `runners`, or add a row.',
  ],
  noRules: () => [
    'EXPORT_NO_RULES',
    'it has neither "ci" nor "gitlab-ci", so no job would have a tag',
    'Write rules for jobs into spack.yaml itself, and commit it. Those of an included file are not read.',
  ],
  lockAbsent: (file: string) => ['LOCK_ABSENT', `the commit has no ${quoted(file)}`, LOCK_AGAIN],
  lockStale: (lacks: readonly string[], has: readonly string[]) => [
    'LOCK_STALE',
    `the lock was written for other specs: it lacks ${some(lacks) || 'none'}, and has besides ${some(has) || 'none'}`,
    LOCK_AGAIN,
  ],
  lockInvalid: (why: string) => ['LOCK_INVALID', `the lock cannot be read: ${why}`, LOCK_AGAIN],
  lockTooOld: (version: number, least: number) => [
    'LOCK_TOO_OLD',
    `the lock has the format ${version}, and the oldest that is read is ${least}`,
    LOCK_AGAIN,
  ],
  lockTooNew: (version: number, newest: number) => [
    'LOCK_TOO_NEW',
    `the lock has the format ${version}, and the newest that is read is ${newest}`,
    'Concretize the environment with Spack 1.1, and commit spack.lock.',
  ],
  lockTooLarge: (specs: number, most: number) => [
    'LOCK_TOO_LARGE',
    `the lock has ${specs} specs, and at most ${most} are read`,
    'Split the environment.',
  ],
  lockEdge: (from: string, hash: string) => [
    'LOCK_EDGE',
    `${from} needs the spec /${hash}, which the lock does not have`,
    LOCK_AGAIN,
  ],
  lockCycle: (names: readonly string[]) => ['LOCK_CYCLE', `these specs need each other: ${some(names)}`, LOCK_AGAIN],
});
