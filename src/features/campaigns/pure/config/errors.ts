import { config, cut, quoted } from '../../../../importers/file-problem.js';
import { said, typeOf } from '../../../../importers/pyyaml/words.js';
import type { Tree } from '../../../../importers/pyyaml/tree.js';
import { catalogue } from '../../../../model/catalogue.js';
import { placed, type SourceLocation } from '../../../../model/failure.js';
import { didYouMean } from '../../../../model/suggest.js';
import type { BadPath } from './path.js';

/** A preset in a chain, and the line that names it. */
export interface Link {
  readonly name: string;
  readonly place: SourceLocation;
}
const chainText = (links: readonly Link[]): string =>
  links.length > 6
    ? `${chainText(links.slice(0, 3))} → … ${links.length - 5} more … → ${chainText(links.slice(-2))}`
    : links.map(({ name, place }) => `${name} (${placed(place)})`).join(' → ');

export const problems = catalogue(config, {
  fileAbsent: (file: string, key: string) => [
    'CONFIG_FILE_ABSENT',
    `the commit has no file ${quoted(file)}`,
    key.startsWith('config.models.')
      ? `Commit the JSON Schema, or correct \`${key}\`, a path from the top of the source.`
      : `Commit the file, or correct \`${key}\`, a path from the top of the source. A new file holds keys and values, and presets below its key presets.`,
  ],
  notAMap: (what: string, found: Tree) => [
    'CONFIG_FORM',
    `${what} is ${said(found)}; expected a map`,
    'Write a map of keys and values, and commit the file.',
  ],
  path: (text: string, { why, column }: BadPath) => [
    'CONFIG_PATH',
    `${quoted(text)} is no path, at character ${column}: ${why}`,
    'Write a.b-c, a["x.y"], a[0] or a[-1]: one path names one value.',
  ],
  unknownKey: (text: string, why: string, near: string) => [
    'CONFIG_UNKNOWN_KEY',
    `${quoted(text)} is not in the configuration: ${why}`,
    `${near && `Near: ${near}. `}Write a path that \`slipway config FILE\` lists without this assignment. A new key has to be in the file first: write it there, with \`null\` if presets set it, and commit.`,
  ],
  type: (text: string, found: Tree, was: Tree, hint: string | null) => [
    'CONFIG_TYPE',
    `${quoted(text)} is ${typeOf(was)}, and the new value is ${said(found)}`,
    hint === null ? `Write ${typeOf(was)}.` : `Write ${hint}.`,
  ],
  override: (text: string) => [
    'CONFIG_OVERRIDE',
    `${quoted(text)} assigns nothing`,
    'Write PATH=VALUE: service.port=8080.',
  ],
  reserved: (key: string) => [
    'CONFIG_OVERRIDE',
    `${quoted(key)} holds presets, and an option sets values alone`,
    'Apply a preset with `--preset NAME`. To change a preset, edit the file and commit it.',
  ],
  presetUnknown: (name: string, known: readonly string[]) => [
    'CONFIG_PRESET_UNKNOWN',
    `there is no preset ${quoted(name)}${didYouMean(name, known)}`,
    'Type `slipway config presets FILE` without this name for all presets.',
  ],
  notChecked: () => [
    'CONFIG_NOT_CHECKED',
    'the presets before it use up the limit of a check, so nobody looked at it',
    'Type `slipway plan --preset NAME` to check one preset, and remove what multiplies values.',
  ],
  misspeltExtends: (key: string) => [
    'CONFIG_EXTENDS',
    `${quoted(key)} is no path of the configuration; did you mean "extends"?`,
    'Write `extends: [NAME]`, and commit the file.',
  ],
  presetEmpty: (name: string) => [
    'CONFIG_PRESET_EMPTY',
    `the preset ${quoted(name)} is null, a placeholder`,
    'Give it values in the file, or do not apply it.',
  ],
  presetLoop: (links: readonly Link[]) => [
    'CONFIG_PRESET_LOOP',
    `presets extend each other: ${chainText(links)}`,
    'Remove one of these names from its `extends`, and commit the file.',
  ],
  extends: (name: string, found: Tree) => [
    'CONFIG_EXTENDS',
    `extends of preset ${quoted(name)} is ${said(found)}; expected a list of names`,
    found.kind === 'scalar' && found.type !== 'null'
      ? `Write \`extends: [${cut(found.text)}]\`, and commit the file.`
      : 'Write `extends: [NAME]` or remove the key, and commit the file.',
  ],
  reference: (text: string, why: string, near = '') => [
    'CONFIG_REFERENCE',
    `the reference ${quoted(text)} cannot be resolved: ${why}`,
    `${near}Correct the path behind @.`,
  ],
  referenceLoop: (links: readonly Link[]) => [
    'CONFIG_REFERENCE_LOOP',
    `references lead to each other: ${chainText(links)}`,
    'Write a value in place of one of these references.',
  ],
  referenceInList: (text: string) => [
    'CONFIG_REFERENCE_IN_LIST',
    `${quoted(text)} stays a text: references in lists are not resolved`,
    'Write the value, or leave it to a program that resolves it.',
  ],
  number: (text: string, number: string) => [
    'CONFIG_NUMBER',
    `${quoted(text)} is ${number}, a whole number that JSON would round`,
    'Write the value in quotes in the file, where it is a text then, or shorten it.',
  ],
  fraction: (text: string, number: string) => [
    'CONFIG_FRACTION',
    `${quoted(text)} is ${number}, and the document of steps has ${parseFloat(number)}: JSON tells them not apart`,
    'Write it in quotes, if a text is meant.',
  ],
  tooLarge: (what: string) => [
    'CONFIG_TOO_LARGE',
    `the configuration has more than ${what}`,
    'Remove what multiplies it: references to maps, presets that are extended again and again, alternatives of a model.',
  ],
  model: (text: string, file: string, why: string) => [
    'CONFIG_MODEL',
    `${quoted(text)} does not follow ${file}: ${cut(why)}`,
    `Correct the value, or the model in ${file}.`,
  ],
  modelKeyword: (keyword: string) => [
    'CONFIG_MODEL_KEYWORD',
    `the keyword ${quoted(keyword)} of JSON Schema is not supported in a model`,
    'Say it by type, enum, properties, required, items, anyOf, minimum, pattern; commit the file.',
  ],
  modelUntyped: (keyword: string) => [
    'CONFIG_MODEL_KEYWORD',
    `the keyword ${quoted(keyword)} has no \`type\` beside it, and would check nothing`,
    'Write `type` beside it, and commit the file.',
  ],
  modelBroken: (why: string) => [
    'CONFIG_MODEL_BROKEN',
    `the file is no JSON Schema that can be used: ${cut(why)}`,
    'Correct the schema, and commit the file.',
  ],
  section: () => [
    'CONFIG_SECTION',
    '`import` and `project` stand together, without `file`',
    'Write `import: topsail` and `project: projects/NAME`, or `file` alone.',
  ],
  modelIdle: (text: string, file: string) => [
    'CONFIG_MODEL',
    `the model ${file} is for ${quoted(text)}, which the configuration lacks`,
    'Correct the key under `config.models`.',
  ],
});
