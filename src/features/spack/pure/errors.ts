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
  includeRefused: (why: string) => [
    'INCLUDE_REFUSED',
    `an include cannot be read: ${why}`,
    'Include a file of the commit, or name its repository under `includes` of the import and a full hash under `commit`.',
  ],
  includeAbsent: (path: string) => [
    'INCLUDE_ABSENT',
    `the included file ${quoted(path)} does not exist`,
    'Correct the path, or mark the include in spack.yaml as optional.',
  ],
  includeCycle: (files: readonly string[]) => [
    'INCLUDE_CYCLE',
    `files include each other: ${files.join(' includes ')}`,
    'Take one of the includes away, and commit the file.',
  ],
  whenNotUnderstood: (why: string) => [
    'WHEN_NOT_UNDERSTOOD',
    `the condition is not understood: ${why}`,
    'Write it with or, and, not, ==, !=, in, texts, the names of `host`, env.get(…), re.search(…), .startswith(…).',
  ],
  whenUnknown: (key: string) => [
    'WHEN_UNKNOWN',
    `the condition asks for ${key}, and \`host\` of the import does not say it`,
    `Add ${key} to \`host\` of the import: no plan hangs on the machine that made it.`,
  ],
  definitionUndefined: (name: string) => [
    'DEFINITION_UNDEFINED',
    `nothing defines $${name}`,
    `Add a list with this name to the definitions in spack.yaml, or correct the name.`,
  ],
  definitionCycle: (names: string) => [
    'DEFINITION_CYCLE',
    `definitions need each other: $${names}`,
    'Take one of the references away.',
  ],
  matrixContradicts: (one: string, other: string) => [
    'MATRIX_CONTRADICTS',
    `no spec is both ${quoted(one)} and ${quoted(other)}`,
    'Take one of them out of the rows of the matrix.',
  ],
  matrixTooLarge: (size: number, most: number) => [
    'MATRIX_TOO_LARGE',
    `the matrix makes ${size} specs, and an environment has at most ${most}`,
    'Take rows or values away, or split the environment.',
  ],
  rulesTwice: () => [
    'RULES_TWICE',
    'the file has both "ci" and "gitlab-ci"',
    'Keep one of them, and commit spack.yaml: Spack 1.0 and newer read "ci" alone.',
  ],
  itemOfKinds: (kinds: readonly string[]) => [
    'RULE_OF_TWO_KINDS',
    `an item of pipeline-gen is of one kind, and this one has ${kinds.length === 0 ? 'none' : kinds.join(', ')}`,
    'Make an item of each.',
  ],
  itemUnknown: (key: string) => [
    'RULE_UNKNOWN',
    `pipeline-gen has no item ${quoted(key)}`,
    'Items are submapping, dynamic-mapping, and any-, build-, cleanup-, copy-, noop-, reindex-, signing-job.',
  ],
  runnerWithoutTags: () => [
    'RUNNER_WITHOUT_TAGS',
    'a mapping has no tags, so it chooses no runner',
    'Add tags to its runner-attributes in spack.yaml, and commit it.',
  ],
  bootstrapUndefined: (name: string | undefined) => [
    'BOOTSTRAP_UNDEFINED',
    name === undefined
      ? 'an item of bootstrap has no name'
      : `bootstrap names ${name}, and no definition has this name`,
    'Name one of the definitions in spack.yaml.',
  ],
  phaseLockAbsent: (name: string, file: string) => [
    'PHASE_LOCK_ABSENT',
    `bootstrap builds ${name} first, and the commit has no ${quoted(file)}`,
    'Concretize the list in an environment of its own in that folder, and commit its spack.lock.',
  ],
  groupUnknown: (name: string, known: readonly string[]) => [
    'GROUP_UNKNOWN',
    `no root is in the group ${quoted(name)}; groups are ${some(known) || 'none'}`,
    'Correct `groups` of the import.',
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
    'Write rules for jobs into spack.yaml or a file that it includes, and commit it.',
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
    'Concretize the environment with Spack 1.2, and commit spack.lock.',
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
