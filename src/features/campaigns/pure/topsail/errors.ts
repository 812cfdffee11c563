import { config, quoted } from '../../../../importers/file-problem.js';
import { catalogue } from '../../../../model/catalogue.js';

const COMMIT = 'and commit the file.';

/** Problems in a template, at their place in it. */
export const template = catalogue(config, {
  syntax: (why: string) => ['TEMPLATE_SYNTAX', `the template cannot be read: ${why}`, `Correct the tag, ${COMMIT}`],
  unsupported: (what: string, instead: string) => [
    'TEMPLATE_NOT_SUPPORTED',
    `templates have no ${what} here`,
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
