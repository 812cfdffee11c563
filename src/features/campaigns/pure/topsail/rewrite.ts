import type { Complain } from '../../../../importers/file-problem.js';
import type { Problem, SourceLocation } from '../../../../model/failure.js';
import type { Json, JsonObject } from '../../../../model/json.js';
import type { Command } from '../../../../model/schema/sections/builds.js';
import type { Context } from '../../../../plan/context.js';
import type { ReadFile } from '../../../../plan/read/release-file.js';
import type { CommitAsk, ImportFacts } from '../../../../importers/asks.js';
import type { ReadConfiguration } from '../config/index.js';
import type { ConfigSection } from '../../schemas/config.js';
import { fail } from '../../../../model/failure.js';
import { callView, type CallView } from './show.js';
import type { Call, CallEntry } from '../../schemas/config.js';
import { lineOf, lookUp, withoutWords } from './call.js';
import { problems } from './errors.js';
import { openToolbox, templateBeside, type Template, type Toolbox } from './toolbox.js';

type Steps = ReadFile['content']['steps'];
const isCall = (one: Steps[string]): one is CallEntry => 'call' in one;

interface WithToolbox {
  readonly file: ReadFile;
  readonly template: Template;
  /** All problems at once. */
  readonly problems: readonly Problem[];
  /** Throws every problem at once. */
  call(asked: Call): CallView;
}

/** Returns the file with a line in place of each call, or questions about the commit. A problem of a line has the place of `call:`.
 * Imports of TOPSAIL get the project of the configuration. */
export function withToolbox(
  file: ReadFile,
  say: Pick<ConfigSection, 'commands' | 'project'>,
  { opened, configuration }: ReadConfiguration,
  facts: ImportFacts,
): { readonly asks: readonly CommitAsk[] } | WithToolbox {
  const found: Problem[] = [];
  const complain: Complain = (problem) => found.push(problem);
  const beside = opened === null ? { paths: [], found: null } : templateBeside(opened.doc.file, facts, complain);
  if ('asks' in beside) return beside;
  const [call] = Object.entries(file.content.steps).filter(([, one]) => isCall(one));
  if (call && beside.found === null && found.length === 0 && opened !== null)
    complain(problems.noTemplate(file.at(['steps', call[0], 'call']).place, beside.paths));
  const toolbox = call && beside.found && configuration && openToolbox(beside.found, configuration.tree, complain);
  const read = (path: string): Json | undefined => {
    const seen = configuration?.read(path);
    return seen && 'value' in seen ? seen.value : undefined;
  };
  const lined = withLines(file, { ...say, toolbox: toolbox ?? null, read }, complain);
  return {
    ...{ file: lined, template: beside.found, problems: found },
    call(asked) {
      const wrong: Problem[] = [];
      const { found: template, paths } = beside;
      if (template === null) throw fail(problems.noTemplate(undefined, paths));
      const box = configuration && openToolbox(template, configuration.tree, (problem) => wrong.push(problem));
      const made = box && lookUp(asked, undefined, box, (problem) => wrong.push(problem));
      if (!box || !made || wrong.length > 0) throw fail(wrong);
      return callView(made, say.commands, box);
    },
  };
}

interface Settled extends Pick<ConfigSection, 'commands' | 'project'> {
  /** Null: its problem is known, and lines are empty. */
  readonly toolbox: Toolbox | null;
  /** Returns a value of the configuration, for `{config.PATH}` in `extra`. */
  read(path: string): Json | undefined;
}

function withLines(file: ReadFile, { commands, project, toolbox, read }: Settled, complain: Complain): ReadFile {
  const placeOf = (name: string): SourceLocation | undefined => file.at(['steps', name, 'call']).place;
  const lined = (name: string, { call, prefix, suffix, extra, env, ...kept }: CallEntry): Command => {
    const given = settled(extra as JsonObject, read) as JsonObject;
    const asked = { call, extra: given, ...(prefix && { prefix }), ...(suffix && { suffix }) };
    const called = toolbox && lookUp(asked, placeOf(name), toolbox, complain);
    const line = called && toolbox ? lineOf(commands, called, toolbox, Object.keys(given)) : { run: ':', env: {} };
    return { ...kept, run: line.run, env: { ...line.env, ...env } };
  };
  const steps = Object.entries(file.content.steps).map(([name, one]) => {
    if (isCall(one)) return [name, lined(name, one)] as const;
    const isTopsail = 'import' in one && one.import === 'topsail';
    return [name, isTopsail && project ? { project, ...one } : one] as const;
  });
  return {
    ...file,
    content: { ...file.content, steps: Object.fromEntries(steps) },
    at: (path, what) => {
      const [section, name = '', key] = path;
      const step = section === 'steps' && (key === 'run' || key === 'env') && file.content.steps[name];
      const isLine = step && isCall(step);
      return file.at(isLine ? ['steps', name, 'call'] : path, what);
    },
  };
}

/** Returns a value of `extra` with escaped values of the configuration. `{config.PATH}` alone keeps the type. A word without a value that
 * fits a text stays: the plan complains. */
function settled(value: Json, read: (path: string) => Json | undefined): Json {
  if (typeof value !== 'string') return withTexts(value, (text) => settled(text, read));
  const [, whole] = /^\{config\.([^{}]+)\}$/.exec(value) ?? [];
  const found = whole === undefined ? null : (read(whole) ?? null);
  if (found !== null) return withTexts(found, withoutWords);
  return value.replaceAll(/(?<![{$])\{config\.([^{}\n]+)\}/g, (word, path: string) => {
    const said = read(path) ?? null;
    return said === null || typeof said === 'object' ? word : withoutWords(String(said));
  });
}

/** Changes the texts of a value. */
function withTexts(value: Json, change: (text: string) => Json): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => withTexts(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value as JsonObject).map(([key, one]) => [key, withTexts(one!, change)]));
}

/** Complains of calls in a file without a configuration. */
export function refuseCalls({ release, complain, at }: Context): void {
  for (const [name, one] of Object.entries(release.steps))
    if (isCall(one)) complain(problems.noSettings(at(['steps', name, 'call']).place, 'call'));
}
