import { catalogue } from '../../../../model/catalogue.js';
import { placed, type SourceLocation } from '../../../../model/failure.js';
import { config, quoted, some } from '../../../../importers/file-problem.js';
import { OPERATIONS } from './depset.js';

/** Problems in depset files. */
export const problems = catalogue(config, {
  absent: (file: string, known: readonly string[]) => [
    'DEPSETS_ABSENT',
    `the commit has no file ${quoted(file)}${known.length > 0 ? `; there is ${known.join(', ')}` : ''}`,
    'Correct the key "file" of the import: a path from the top of the source that ends in .depsets.yaml.',
  ],
  notYaml: (why: string) => [
    'DEPSETS_NOT_YAML',
    `no depsets can be read here: ${why}`,
    'Correct the line, and commit it.',
  ],
  wrongType: (key: string, found: unknown, wanted: string) => [
    'DEPSETS_WRONG_TYPE',
    `${key} is ${quoted(found)}, and not ${wanted}`,
    'Correct the value, and commit it.',
  ],
  unknownKey: (key: string, known: readonly string[]) => [
    'DEPSETS_UNKNOWN_KEY',
    `a depset has no key ${quoted(key)}; it would change nothing`,
    `Correct it to one of ${known.join(', ')}, and commit it.`,
  ],
  unknownOperation: (name: string, operation: unknown) => [
    'DEPSETS_UNKNOWN_OPERATION',
    `${name} has the operation ${quoted(operation)}`,
    `Write one of ${OPERATIONS.join(', ')}, and commit it.`,
  ],
  unknownArgSet: (name: string, set: string, known: readonly string[]) => [
    'DEPSETS_UNKNOWN_ARG_SET',
    `${name} names the build_arg_set ${quoted(set)}; its file has ${some(known) || 'none'}`,
    'Correct the name, or add the set, and commit it.',
  ],
  unknownVariable: (name: string, variable: string, known: readonly string[]) => [
    'DEPSETS_UNKNOWN_VARIABLE',
    `${name} writes ${quoted(variable)}; the set has ${some(known) || 'no variables'}`,
    'Add the variable to each build_arg_set that the depset names, or write $$ for the sign itself; commit it.',
  ],
  unknownDepset: (name: string, other: string) => [
    'DEPSETS_UNKNOWN_DEPSET',
    `${name} stands on ${quoted(other)}, and no file beside it has a depset of that name`,
    'Correct the name, and commit it.',
  ],
  noSource: (name: string, key: string) => [
    'DEPSETS_KEY_MISSING',
    `${name} has no ${key}`,
    `Add ${key}, and commit it.`,
  ],
  nameTwice: (name: string, first: SourceLocation) => [
    'DEPSETS_NAME_TWICE',
    `${quoted(name)} is also the name of the depset at ${placed(first)}`,
    'Give one of them another name, and commit it.',
  ],
  badName: (name: string) => [
    'DEPSETS_BAD_NAME',
    `${quoted(name)} cannot name a step`,
    'Use at most 80 letters, digits, ".", "_" and "-", and commit it.',
  ],
  twoWriters: (output: string, name: string, first: SourceLocation) => [
    'DEPSETS_TWO_WRITERS',
    `${name} writes ${quoted(output)}, and so does the depset at ${placed(first)}`,
    'Give one of them another output, and commit it.',
  ],
  cycle: (names: readonly string[]) => [
    'DEPSETS_CYCLE',
    `these depsets stand on each other: ${names.join(' → ')}`,
    'Take one of these edges away, and commit it.',
  ],
  notInSource: (name: string, requirement: string, source: string) => [
    'DEPSETS_NOT_A_SUBSET',
    `${name} takes ${quoted(requirement)} out of ${source}, which is not made from that file`,
    'Add the file to the requirements of the source, or take it away here; commit it.',
  ],
  fileAbsent: (name: string, file: string) => [
    'DEPSETS_FILE_ABSENT',
    `${name} reads ${quoted(file)}, which the commit does not have`,
    'Correct the path, or commit the file; paths are relative to the top of the source.',
  ],
  nothingChosen: (only: readonly string[], known: readonly string[]) => [
    'DEPSETS_NOTHING_CHOSEN',
    `no depset is called ${only.map(quoted).join(' or ')}; there is ${known.slice(0, 12).join(', ')}${known.length > 12 ? ' …' : ''}`,
    'Correct the key "only" of the import; * stands for any letters.',
  ],
});
