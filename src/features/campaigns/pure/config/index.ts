import type { CommitAsk, ImportFacts } from '../../../../importers/asks.js';
import type { At } from '../../../../importers/importer.js';
import type { Problem } from '../../../../model/failure.js';
import type { ConfigSection } from '../../schemas/config.js';
import { type Chosen, type Configuration, configure } from './configure.js';
import { type Opened, openConfiguration } from './open.js';

export { type Chosen, type Configuration, recordOf } from './configure.js';
export { type Assignment, type From, fromText, sourcesIn } from './from.js';
export { type Linted, lintPresets, listPresets } from './lint.js';
export { isPath, type Path, pathText, readPath } from './path.js';

export interface ReadConfiguration {
  /** Null: a file cannot be read. */
  readonly opened: Opened | null;
  readonly configuration: Configuration | null;
  /** All problems at once. */
  readonly problems: readonly Problem[];
}

/** Reads the configuration that a release file and the options of a command choose, or asks the source's commit for its files. */
export function readConfiguration(
  say: ConfigSection,
  around: { readonly given: Chosen; readonly facts: Pick<ImportFacts, 'text'>; readonly at: At },
): { readonly asks: readonly CommitAsk[] } | ReadConfiguration {
  const problems: Problem[] = [];
  const read = openConfiguration(say, around, (problem) => problems.push(problem));
  if ('asks' in read) return read;
  const { opened } = read;
  if (opened === null) return { opened, configuration: null, problems };
  const made = configure(opened, around.given);
  return { opened, configuration: made.configuration, problems: [...problems, ...made.problems] };
}
