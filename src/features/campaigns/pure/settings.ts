import { counted } from '../../../model/counted.js';
import type { Call } from '../schemas/config.js';
import type { Finding } from '../../../model/finding.js';
import type { Tree } from '../../../importers/pyyaml/tree.js';
import type { Problem, SourceLocation } from '../../../model/failure.js';
import { canonical, type JsonObject } from '../../../model/json.js';
import { once } from '../../../model/once.js';
import type { ReadSettings, SettingsPart } from '../../../plan/feature.js';
import { withToolbox } from './topsail/rewrite.js';
import type { CallView } from './topsail/show.js';
import { lintTemplate, type Template } from './topsail/toolbox.js';
import { configure, type Opened } from './config/configure.js';
import { isNull } from './config/document.js';
import { problems as config } from './config/errors.js';
import { type ReadConfiguration, readConfiguration } from './config/index.js';
import { COST, openLimits } from './config/merge.js';
import { presetsIn } from './config/presets.js';
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
  } catch {
    return true; // A text has at most 512 MiB.
  }
}

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

function partsOf({ opened, configuration }: ReadConfiguration, template: Template): readonly SettingsPart[] {
  if (opened === null || configuration === null) return [];
  const notes = findingsOf(configuration.notes(), 'note');
  const presets = lintPresets(opened);
  const rendered = presets.filter(({ problems, isEmpty }) => problems.length === 0 && !isEmpty);
  const [plain = [], ...each] =
    template === null ? [] : lintTemplate(template, [configuration.tree, ...rendered.map(({ tree }) => tree)]);
  const found = new Map(rendered.map((one, index) => [one, each[index]!]));
  return [
    ...(notes.length > 0 ? [{ name: opened.doc.file, about: 'the file', findings: notes }] : []),
    ...(template ? [{ name: template.file, about: 'arguments of commands', findings: findingsOf(plain) }] : []),
    ...presets.map((one) => partOf(one, found.get(one) ?? [])),
  ];
}

/** The effect of one preset, applied alone. */
export interface Linted {
  readonly name: string;
  readonly place: SourceLocation;
  /** Number of values that it and those that it extends assign. */
  readonly assigns: number;
  readonly isEmpty: boolean;
  readonly tree: Tree;
  /** Problems that the configuration without it does not have. */
  readonly problems: readonly Problem[];
}

/** Applies every preset alone, and checks all references and models each time. */
export function lintPresets(opened: Opened): readonly Linted[] {
  const { doc, layout, say } = opened;
  const bare = { ...opened, say: { ...say, apply: [] } };
  const told: Problem[] = [];
  const limits = openLimits((problem) => told.push(problem), 5);
  let isOver = false;
  const plain = configure(bare, {}, limits);
  const known = new Set(plain.problems.map(canonical));
  return [...presetsIn(doc.tree, layout)].map(([name, { value, at }]) => {
    const isLeft = limits.work(COST, doc.place(at));
    const { configuration, problems } = isLeft ? configure(bare, { preset: [name] }, limits) : plain;
    const own = problems.filter((one) => !known.has(canonical(one)));
    const found = isOver ? [config.notChecked({ file: doc.file })] : [...own, ...told];
    isOver ||= told.length > 0;
    return {
      ...{ name, place: doc.place(at), isEmpty: isNull(value), tree: configuration.tree },
      assigns: configuration.applied.length,
      problems: found,
    };
  });
}

const partOf = ({ name, place, assigns, isEmpty, problems }: Linted, inTemplate: readonly Problem[]): SettingsPart => ({
  ...{ name, by: '--preset' },
  about: `${placeText(place)}, ${isEmpty ? 'null, a placeholder' : counted(assigns, 'value')}`,
  findings: findingsOf([...problems, ...inTemplate], isEmpty ? 'note' : 'error'),
});

const findingsOf = (problems: readonly Problem[], level: Finding['level'] = 'error'): readonly Finding[] =>
  problems.map(({ code, place, message, next }) => ({
    ...{ level, code, next, why: message },
    subject: place === undefined ? 'config' : placeText(place),
  }));
