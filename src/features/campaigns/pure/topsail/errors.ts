import { config, quoted, some } from '../../../../importers/file-problem.js';
import { catalogue } from '../../../../model/catalogue.js';
import { didYouMean } from '../../../../model/suggest.js';

const COMMIT = 'and commit the file.';

/** Problems in a template, at their place in it. */
export const template = catalogue(config, {
  syntax: (why: string) => ['TEMPLATE_SYNTAX', `the template cannot be read: ${why}`, `Correct the tag, ${COMMIT}`],
  unsupported: (what: string, instead: string, meant = '') => [
    'TEMPLATE_NOT_SUPPORTED',
    `templates have no ${what} here${meant}`,
    `${instead}, ${COMMIT}`,
  ],
  undefinedName: (name: string, meant: string) => [
    'TEMPLATE_UNDEFINED',
    `${quoted(name)} is not defined${meant}`,
    'Correct the name, or add the key to the configuration. `is defined` and `default(…)` allow an absent one.',
  ],
  wrongValue: (why: string) => ['TEMPLATE_VALUE', why, `Correct the expression or the value, ${COMMIT}`],
  raised: (why: string) => [
    'TEMPLATE_RAISED',
    `the template refuses the configuration: ${quoted(why)}`,
    'Change the value that the message names.',
  ],
  tooLarge: (what: string) => [
    'TEMPLATE_TOO_LARGE',
    `the template exceeds the limit of ${what}`,
    `Shorten it, ${COMMIT}`,
  ],
});

export const problems = catalogue(config, {
  noTemplate: (paths: readonly string[]) => [
    'CALL_NO_TEMPLATE',
    `the commit has none of ${paths.join(', ')}, which hold the arguments of calls`,
    `Write one of them: its keys are commands such as "cluster set_scale", each with a map of arguments. Then commit it.`,
  ],
  twoTemplates: (paths: readonly string[]) => [
    'CALL_TWO_TEMPLATES',
    `the commit has ${paths.join(' and ')}, and upstream reads one of them`,
    'Remove one of the two, and commit.',
  ],
  unknown: (key: string, known: readonly string[]) => [
    'CALL_UNKNOWN',
    `the template has no arguments for ${quoted(key)}${didYouMean(key, known)}`,
    `It has ${some(known) || 'none'}. Correct call, prefix or suffix.`,
  ],
  noMap: (key: string) => ['CALL_NO_MAP', `the arguments of ${quoted(key)} are no map`, `Write a map, ${COMMIT}`],
  argument: (name: string) => [
    'CALL_ARGUMENT',
    `${quoted(name)} is no name of an argument`,
    'Name it with letters, digits and "_", and give no two names that differ in case alone.',
  ],
  notSet: (name: string, key: string, isStep: boolean) => [
    'CALL_NOT_SET',
    `the argument ${quoted(name)} of ${quoted(key)} is SET_AT_RUNTIME`,
    isStep
      ? `Give its value in the step: \`extra: { ${name}: … }\`.`
      : `Type the command again with --extra ${name}=VALUE.`,
  ],
  noSettings: (word: string) => [
    'CALL_NO_CONFIG',
    `${word} needs a configuration, and the file has no \`config:\``,
    'Add `config:` to the release file.',
  ],
  noProject: () => [
    'TOPSAIL_NO_PROJECT',
    "the import needs TOPSAIL's configuration",
    'Write `config: { import: topsail, project: projects/NAME }`.',
  ],
  documentTooLarge: (size: number) => [
    'TOPSAIL_DOCUMENT_TOO_LARGE',
    `the configuration has ${size} bytes, and a step takes ${MOST_DOCUMENT} in its environment`,
    'Shorten the configuration.',
  ],
});

/** Linux takes 131,072 bytes in one variable of the environment. */
export const MOST_DOCUMENT = 120_000;
