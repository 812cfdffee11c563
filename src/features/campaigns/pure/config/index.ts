import type { CommitAsk, ImportFacts } from '../../../../importers/asks.js';
import type { Complain } from '../../../../importers/file-problem.js';
import type { At } from '../../../../importers/importer.js';
import { type Doc, readDoc } from '../../../../importers/pyyaml/read.js';
import { isDict } from '../../../../importers/pyyaml/tree.js';
import type { Problem } from '../../../../model/failure.js';
import type { Given } from '../../../../model/plan.js';
import type { ConfigSection } from '../../schemas/config.js';
import { type Configuration, configure, type Opened } from './configure.js';
import { problems } from './errors.js';
import { type Layout, layoutOf } from './presets.js';
import { readModel } from './models.js';

export interface ReadConfiguration {
  /** Null: a file cannot be read. */
  readonly opened: Opened | null;
  readonly configuration: Configuration | null;
  /** All problems at once. */
  readonly problems: readonly Problem[];
}

interface Around {
  readonly facts: Pick<ImportFacts, 'text'>;
  readonly at: At;
}

/** Reads the configuration that a release file and the options of a command choose, or asks the source's commit for its files. */
export function readConfiguration(
  say: ConfigSection,
  around: Around & { readonly given: Given },
): { readonly asks: readonly CommitAsk[] } | ReadConfiguration {
  const found: Problem[] = [];
  const layout = layoutOf(say, around.at);
  if ('code' in layout) return { opened: null, configuration: null, problems: [layout] };
  const paths = new Set([layout.file, ...Object.values(say.models)]);
  const asks = [...paths].filter((path) => !Object.hasOwn(around.facts.text, path));
  if (asks.length > 0) return { asks: asks.map((path) => ({ ask: 'text', path })) };
  const opened = openFiles(say, layout, around, (problem) => found.push(problem));
  if (opened === null) return { opened, configuration: null, problems: found };
  const made = configure(opened, around.given);
  return { opened, configuration: made.configuration, problems: [...found, ...made.problems] };
}

function openFiles(say: ConfigSection, layout: Layout, { facts, at }: Around, complain: Complain): Opened | null {
  const docOf = (key: readonly string[], file: string): Doc | null => {
    const text = facts.text[file] ?? null;
    if (text !== null) return readDoc(text, file, complain);
    complain(problems.fileAbsent(at(key) ?? at([]), file, ['config', ...key].join('.')));
    return null;
  };
  const models = Object.entries(say.models).flatMap(([path, file]) => {
    const doc = docOf(['models', path], file);
    return (doc && readModel(doc, path, at(['models', path]), complain)) ?? [];
  });
  const doc = docOf([say.import === undefined ? 'file' : 'project'], layout.file);
  if (doc === null || isDict(doc.tree)) return doc && { say, at, layout, doc, models };
  complain(problems.notAMap(doc.place(0), layout.file, doc.tree));
  return null;
}
