import { catalogue } from '../../model/catalogue.js';
import type { SourceLocation } from '../../model/failure.js';
import { config, quoted } from '../file-problem.js';
import type { Read } from './scalar.js';
import type { Tree } from './tree.js';
import { said, TYPES } from './words.js';

/** Problems of a YAML file that Python reads. */
export const problems = catalogue(config, {
  notYaml: (why: string) => ['PYYAML_SYNTAX', `the file is not YAML: ${why}`, 'Correct the line, and commit it.'],
  tagged: (tag: string) => [
    'PYYAML_SYNTAX',
    `the tag ${quoted(tag)} changes how the value is read`,
    'Remove the tag, and commit the file.',
  ],
  keyNoText: (text: string | null, read: Read | null) => [
    'PYYAML_KEY_NO_TEXT',
    text === null
      ? 'a key is a map or a list'
      : `YAML 1.1 reads the key ${text || '(empty)'} as ${TYPES[read!.type]} (${read!.text})`,
    text === null ? 'Quote a text that begins with {, and commit the file.' : `Write '${text}', and commit the file.`,
  ],
  keyTwice: (key: string, first: SourceLocation) => [
    'PYYAML_KEY_TWICE',
    `the key ${quoted(key)} is also in line ${first.line}; Python would silently use this one`,
    'Remove one of the two keys, and commit the file.',
  ],
  mergeOf: (found: Tree) => [
    'PYYAML_MERGE',
    `<< is ${said(found)}; expected a map or a list of maps`,
    'Write a map or a list of maps, and commit the file.',
  ],
});
