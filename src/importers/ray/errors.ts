import { catalogue } from '../../model/catalogue.js';
import { placed, type SourceLocation } from '../../model/failure.js';
import { didYouMean } from '../../model/suggest.js';
import { config, cut, quoted } from '../file-problem.js';
import type { Tree } from '../pyyaml/tree.js';
import { said, typeOf } from '../pyyaml/words.js';

/** Problems in Ray's release test files. */
export const problems = catalogue(config, {
  fileAbsent: (file: string) => [
    'RAY_TESTS_ABSENT',
    `the commit has no file ${quoted(file)}`,
    'Correct `files` of the import: paths from the top of the source.',
  ],
  notAList: (found: Tree) => [
    'RAY_TESTS_WRONG_VALUE',
    `expected a list of tests, found ${typeOf(found)}`,
    'Begin each test with "- name:", and commit the file.',
  ],
  wrongValue: (key: string, wanted: string, found: Tree) => [
    'RAY_TESTS_WRONG_VALUE',
    `${key} is ${said(found)}; expected ${wanted}`,
    wanted.startsWith('a text') && found.kind === 'scalar' && found.type !== 'null'
      ? 'Quote the value, and commit the file.'
      : `Write ${wanted}, and commit the file.`,
  ],
  wrongChoice: (key: string, value: string, known: readonly string[]) => [
    'RAY_TESTS_WRONG_VALUE',
    `${key} is ${quoted(value)}${didYouMean(value, known)}`,
    `Write one of ${known.join(', ')}, and commit the file.`,
  ],
  unknownKey: (path: string, key: string, known: readonly string[]) => [
    'RAY_TESTS_UNKNOWN_KEY',
    `${quoted(path)} is no key of a release test${didYouMean(key, known)}`,
    `Correct it to one of ${known.join(', ')}, and commit the file.`,
  ],
  keyMissing: (test: string, key: string) => [
    'RAY_TESTS_KEY_MISSING',
    `${test} has no ${key}`,
    `Add ${key}, and commit the file.`,
  ],
  bothExpansions: (test: string) => [
    'RAY_TESTS_MATRIX',
    `${test} has both matrix and variations`,
    'Remove one of the two keys, and commit the file.',
  ],
  noVariations: (test: string) => [
    'RAY_TESTS_VARIATIONS',
    `${test} has no variation under variations`,
    'Add one with a __suffix__, or remove the key; commit the file.',
  ],
  noSuffix: (test: string) => [
    'RAY_TESTS_VARIATIONS',
    `a variation of ${test} has no __suffix__`,
    'Add __suffix__, which names the variation, and commit the file.',
  ],
  matrixValue: (variable: string, found: Tree) => [
    'RAY_TESTS_MATRIX',
    `a value of the matrix variable ${quoted(variable)} is ${typeOf(found)}, and would become Python's text of it`,
    'Write texts or numbers, and commit the file.',
  ],
  adjustment: (missing: readonly string[], strange: readonly string[]) => [
    'RAY_TESTS_MATRIX',
    `the adjustment ${[...missing.map((one) => `has no ${quoted(one)}`), ...strange.map((one) => `has ${quoted(one)}, which setup lacks`)].join(' and ')}`,
    'Give `with` a value for each variable of setup, and commit the file.',
  ],
  combinationTwice: (test: string, values: string) => [
    'RAY_TESTS_MATRIX',
    `${test} makes the combination ${cut(values)} twice`,
    'Remove the value or the adjustment that repeats it, and commit the file.',
  ],
  tooManyCombinations: (test: string, most: number) => [
    'RAY_TESTS_MATRIX',
    `the matrix of ${test} has more than ${most} combinations or too long values`,
    'Take values away, and commit the file.',
  ],
  tooMany: (most: number) => [
    'RAY_TESTS_TOO_MANY',
    `the files describe more than ${most} tests`,
    'Import fewer files, each by an import of its own.',
  ],
  nameTwice: (name: string, first: SourceLocation) => [
    'RAY_TESTS_NAME_TWICE',
    `${quoted(name)} is also the name of the test at ${placed(first)}`,
    'Give one of them another name, and commit the file.',
  ],
  notAVariable: (line: string) => [
    'RAY_TESTS_ENV',
    `the line ${quoted(line)} is no variable`,
    'Write NAME=value, or begin the line with #; commit the file.',
  ],
  otherJinja: (text: string) => [
    'RAY_TESTS_TEMPLATE',
    `${quoted(text)} is an expression of jinja that no import evaluates`,
    'Write {{ env["NAME"] }} or a plain value, and commit the file.',
  ],
  volumeKept: () => [
    'RAY_TESTS_VOLUME_KEPT',
    'this EBS volume outlives its machine',
    'Add DeleteOnTermination: true, and commit the file.',
  ],
  outside: (key: string, path: string) => [
    'RAY_TESTS_OUTSIDE',
    `${key} ${quoted(path)} lies outside the source`,
    'Name a path inside the source, and commit the file.',
  ],
  partAbsent: (key: string, file: string) => [
    'RAY_TESTS_FILE_ABSENT',
    `${key} names ${JSON.stringify(file)}, which the commit does not have`,
    'Correct the path, or commit the file.',
  ],
  byodPython: (type: string, wanted: string, python: string) => [
    'RAY_TESTS_WRONG_VALUE',
    `an image of type ${type} has Python ${wanted}, and the test wants ${python}`,
    `Write python: "${wanted}", or another byod type; commit the file.`,
  ],
  tooFewNodes: (wanted: number, file: string, most: number) => [
    'RAY_TESTS_TOO_FEW_NODES',
    `the test waits for ${wanted} nodes, and ${quoted(file)} has at most ${most}`,
    'Correct wait_for_nodes.num_nodes or the compute file, and commit it.',
  ],
});
