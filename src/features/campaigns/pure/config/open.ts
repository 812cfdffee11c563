import type { CommitAsk, ImportFacts } from '../../../../importers/asks.js';
import type { Complain } from '../../../../importers/file-problem.js';
import type { At } from '../../../../importers/importer.js';
import { type Doc, readDoc } from '../../../../importers/pyyaml/read.js';
import { isDict } from '../../../../importers/pyyaml/tree.js';
import type { Problem } from '../../../../model/failure.js';
import type { ConfigSection } from '../../schemas/config.js';
import { problems } from './errors.js';
import { type Layout, layoutOf } from './layouts.js';
import { type Model, readModel } from './models.js';
import { isPath, readPath } from './path.js';

/** Files of a configuration, read once for every choice of presets. */
export interface Opened {
  readonly say: ConfigSection;
  readonly at: At;
  readonly layout: Layout;
  readonly doc: Doc;
  readonly models: readonly Model[];
}

/** Reads the files of a configuration, or asks the commit for them. `doc` is null, with a complaint, if they cannot be read. */
export function openConfiguration(
  say: ConfigSection,
  { facts, at }: { readonly facts: Pick<ImportFacts, 'text'>; readonly at: At },
  complain: Complain,
): { readonly asks: readonly CommitAsk[] } | { readonly opened: Opened | null } {
  const layout = layoutOf(say, at);
  if ('code' in layout) return failed(layout, complain);
  const asks = [layout.file, ...Object.values(say.models)].filter((path) => !(path in facts.text));
  if (asks.length > 0) return { asks: [...new Set(asks)].map((path) => ({ ask: 'text', path })) };
  const text = facts.text[layout.file];
  const key = say.import === undefined ? 'file' : 'project';
  if (text == null) return failed(problems.fileAbsent(at([key]) ?? at([]), layout.file, `config.${key}`), complain);
  const doc = readDoc(text, layout.file, complain);
  if (doc !== null && !isDict(doc.tree)) return failed(problems.notAMap(doc.place(0), layout.file, doc.tree), complain);
  const models = Object.entries(say.models).flatMap(
    ([path, file]) => modelOf(path, file, { facts, at }, complain) ?? [],
  );
  return { opened: doc && { say, at, layout, doc, models } };
}

function failed(problem: Problem, complain: Complain): { readonly opened: null } {
  complain(problem);
  return { opened: null };
}

function modelOf(
  text: string,
  file: string,
  { facts, at }: Parameters<typeof openConfiguration>[1],
  complain: Complain,
) {
  const path = readPath(text);
  const place = at(['models', text]);
  const schema = facts.text[file];
  if (!isPath(path)) complain(problems.path(place, text, path));
  if (schema == null) complain(problems.fileAbsent(place, file, `config.models.${text}`));
  return isPath(path) && schema != null ? readModel(schema, file, path, complain) : null;
}
