import { counted } from '../../../model/counted.js';
import type { Finding } from '../../../model/finding.js';
import type { Problem, SourceLocation } from '../../../model/failure.js';
import { once } from '../../../model/once.js';
import type { ReadSettings, SettingsPart } from '../../../plan/feature.js';
import { type Linted, lintPresets, type ReadConfiguration, readConfiguration, recordOf } from './config/index.js';

/** Reads `config:` of a release file. */
export const readSettings: ReadSettings = (file, { given, facts }) => {
  const say = file.content.config;
  if (say === undefined) return null;
  const read = readConfiguration(say, { given, facts, at: (path) => file.at(['config', ...path]).place });
  if ('asks' in read) return read;
  const { configuration, problems } = read;
  return {
    ...{ word: 'config', file, findings: problems },
    document: configuration === null ? {} : recordOf(configuration),
    value: (path) => configuration?.read(path) ?? problems[0]!,
    lint: once(() => partsOf(read)),
  };
};

const placeText = ({ file, line, column }: SourceLocation): string =>
  [file, line, column].filter((part) => part !== undefined).join(':');

const findingOf = ({ code, place, message, next }: Problem, level: Finding['level'] = 'error'): Finding => ({
  ...{ level, code, next, why: message },
  subject: place === undefined ? 'config' : placeText(place),
});

function partsOf({ opened, configuration }: ReadConfiguration): readonly SettingsPart[] {
  if (opened === null || configuration === null) return [];
  const lists = configuration.inLists.map((one) => findingOf(one, 'note'));
  const own = lists.length === 0 ? [] : [{ name: opened.doc.file, about: 'the file', findings: lists }];
  return [...own, ...lintPresets(opened).map(partOf)];
}

const partOf = ({ name, place, assigns, isEmpty, problems }: Linted): SettingsPart => ({
  ...{ name, by: '--preset' },
  about: `${placeText(place)}, ${isEmpty ? 'null, a placeholder' : counted(assigns, 'value')}`,
  findings: problems.map((one) => findingOf(one, isEmpty ? 'note' : 'error')),
});
