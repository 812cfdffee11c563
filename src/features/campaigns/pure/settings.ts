import { counted } from '../../../model/counted.js';
import type { Call } from '../schemas/toolbox.js';
import type { Finding } from '../../../model/finding.js';
import type { Problem } from '../../../model/failure.js';
import type { JsonObject } from '../../../model/json.js';
import { once } from '../../../model/once.js';
import type { ReadSettings, SettingsPart } from '../../../plan/feature.js';
import { type CallView, lintTemplate, type Template, withToolbox } from './topsail/index.js';
import { problems as config } from './config/errors.js';
import { type ReadConfiguration, readConfiguration } from './config/index.js';
import { type Linted, lintPresets } from './config/lint.js';
import { placeText } from './config/why.js';

/** What `slipway config call` asks. */
export interface OfCampaigns {
  /** Throws every problem at once. */
  call(asked: Call): CallView;
}

/** Characters of a document with the source of each value, as JSON. The worker of control reads it whole to tell what changed. */
const MOST_RECORD = 4_000_000;

function isTooLarge(record: JsonObject): boolean {
  try {
    return JSON.stringify(record).length > MOST_RECORD;
  } catch (error) {
    // A text has at most 512 MiB.
    if (error instanceof RangeError) return true;
    throw error;
  }
}

/** Reads `config:` of a release file. */
export const readSettings: ReadSettings = (file, { given, facts }) => {
  const say = file.content.config;
  if (say === undefined) return null;
  const read = readConfiguration(say, { given, facts, at: (path) => file.at(['config', ...path]).place });
  if ('asks' in read) return read;
  const { configuration, problems } = read;
  const called = withToolbox(file, say, read, facts);
  if ('asks' in called) return called;
  const record = (configuration?.record() ?? {}) as JsonObject;
  const tooLarge = isTooLarge(record)
    ? [config.tooLarge({ file: read.opened!.doc.file }, `${MOST_RECORD} characters in what is kept of it`)]
    : [];
  return {
    ...{ word: 'config', file: called.file, findings: [...problems, ...called.problems, ...tooLarge] },
    document: tooLarge.length > 0 ? {} : record,
    value: (path) => configuration?.read(path) ?? problems[0]!,
    own: { call: called.call } satisfies OfCampaigns,
    lint: once(() => partsOf(read, called.template)),
  };
};

const findingOf = ({ code, place, message, next }: Problem, level: Finding['level'] = 'error'): Finding => ({
  ...{ level, code, next, why: message },
  subject: place === undefined ? 'config' : placeText(place),
});

function partsOf({ opened, configuration }: ReadConfiguration, template: Template): readonly SettingsPart[] {
  if (opened === null || configuration === null) return [];
  const lists = configuration.notes().map((one) => findingOf(one, 'note'));
  const own = lists.length === 0 ? [] : [{ name: opened.doc.file, about: 'the file', findings: lists }];
  const presets = lintPresets(opened);
  const rendered = presets.filter(({ problems, isEmpty }) => problems.length === 0 && !isEmpty);
  const [plain, ...each] =
    template === null ? [] : lintTemplate(template, [configuration.tree, ...rendered.map(({ tree }) => tree)]);
  const found = new Map(rendered.map((one, index) => [one, each[index] ?? []]));
  return [
    ...own,
    ...(template && plain ? [templatePart(template.file, plain)] : []),
    ...presets.map((one) => partOf({ ...one, problems: [...one.problems, ...(found.get(one) ?? [])] })),
  ];
}

const templatePart = (name: string, problems: readonly Problem[]): SettingsPart => ({
  ...{ name, about: 'arguments of commands' },
  findings: problems.map((one) => findingOf(one)),
});

const partOf = ({ name, place, assigns, isEmpty, problems }: Linted): SettingsPart => ({
  ...{ name, by: '--preset' },
  about: `${placeText(place)}, ${isEmpty ? 'null, a placeholder' : counted(assigns, 'value')}`,
  findings: problems.map((one) => findingOf(one, isEmpty ? 'note' : 'error')),
});
