import type { Complain } from '../../../../importers/file-problem.js';
import type { SourceLocation } from '../../../../model/failure.js';
import type { Json } from '../../../../model/json.js';
import type { Command } from '../../../../model/schema/sections/builds.js';
import type { Context } from '../../../../plan/context.js';
import type { ReadFile } from '../../../../plan/read/release-file.js';
import type { CallEntry, TopsailImport } from '../../schemas/toolbox.js';
import { lineOf, lookUp } from './call.js';
import { problems } from './errors.js';
import type { Toolbox } from './toolbox.js';

type Steps = ReadFile['content']['steps'];
const isCall = (one: Steps[string]): one is CallEntry => 'call' in one;

const isTopsail = (one: Steps[string]): one is TopsailImport => 'import' in one && one.import === 'topsail';

export const hasCalls = ({ content }: ReadFile): boolean => Object.values(content.steps).some(isCall);

interface Settled {
  readonly commands: string;
  /** Folder of TOPSAIL's project. */
  readonly project: string | undefined;
  /** Null: its problem is known, and lines are empty. */
  readonly toolbox: Toolbox | null;
  /** Returns a value of the configuration, for `{config.PATH}` in `extra`. */
  read(path: string): Json | undefined;
}

/** Returns the file with a line in place of each call, whose problems have the place of `call:`. Imports of TOPSAIL get the
 * project of the configuration. */
export function withLines(file: ReadFile, { commands, project, toolbox, read }: Settled, complain: Complain): ReadFile {
  const placeOf = (name: string): SourceLocation | undefined => file.at(['steps', name, 'call']).place;
  const lined = (name: string, { call, prefix, suffix, extra, env, ...kept }: CallEntry): Command => {
    const given = Object.fromEntries(Object.entries(extra).map(([key, value]) => [key, settled(value, read)]));
    const called = toolbox && lookUp({ call, prefix, suffix, extra: given }, placeOf(name), toolbox, complain);
    const line = called && toolbox ? lineOf(commands, called, toolbox, Object.keys(given)) : { run: ':', env: {} };
    return { ...kept, run: line.run, env: { ...line.env, ...env } };
  };
  const steps = Object.entries(file.content.steps).map(
    ([name, one]) =>
      [name, isCall(one) ? lined(name, one) : isTopsail(one) ? { ...(project && { project }), ...one } : one] as const,
  );
  return {
    ...file,
    content: { ...file.content, steps: Object.fromEntries(steps) },
    at: (path, what) => {
      const [section, name = '', key] = path;
      const isLine =
        section === 'steps' && (key === 'run' || key === 'env') && isCall(file.content.steps[name] ?? ({} as Command));
      return file.at(isLine ? ['steps', name, 'call'] : path, what);
    },
  };
}

/** A value of `extra`; `{config.PATH}` alone is the value at the path, with its type. */
function settled(value: Json, read: (path: string) => Json | undefined): Json {
  const [, path] = typeof value === 'string' ? (/^\{config\.([^{}]+)\}$/.exec(value) ?? []) : [];
  return (path === undefined ? undefined : read(path)) ?? value;
}

/** Complains of calls in a file without a configuration. */
export function refuseCalls({ release, complain, at }: Context): void {
  for (const [name, one] of Object.entries(release.steps))
    if (isCall(one)) complain(problems.noSettings(at(['steps', name, 'call']).place, 'call'));
}
