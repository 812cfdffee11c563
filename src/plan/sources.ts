import { sourceStepId } from '../model/ids.js';
import type { ReleaseFile } from '../model/schema/release-file.js';
import type { NamedSource } from '../model/schema/sections/sources.js';
import type { Context } from './context.js';
import { problems, type Path } from './errors.js';
import type { Facts } from './facts.js';
import type { ReadFile } from './read/release-file.js';
import { snapshotForPython } from './version.js';
import { createTexts } from './texts.js';

/** Returns a context with a version and texts of its own. */
function varied(main: Context, file: ReadFile, own: Partial<Context>): Context {
  const { facts, version } = { ...main, ...own };
  return {
    ...{ ...main, ...own, ...createTexts(facts, version, file, main.complain) },
    get failed() {
      return main.failed;
    },
  };
}

/** Returns the context of Python packages. Only that of a snapshot differs. */
export function createPython(main: Context, file: ReadFile, facts: Facts): Context {
  const version = facts.git?.history ? snapshotForPython(main.version) : null;
  if (version === null) return main;
  const python = varied(main, file, { version, madeVersion: version });
  return Object.assign(python, { sourced: createSourced(python, file, facts) });
}

/** Returns a function that gives the context of an entry's own source. */
export function createSourced(main: Context, file: ReadFile, facts: Facts): Context['sourced'] {
  const made = new Map<string, Context>();
  const contextOf = (name: string): Context => {
    const context = made.get(name) ?? varied(main, file, ownOf(name, main, facts));
    made.set(name, context);
    return context;
  };
  return (name, path) => {
    if (name === undefined) return main;
    const { sources } = main.release;
    if (Object.hasOwn(sources, name)) return contextOf(name);
    main.complain(problems.unknownSource(main.at([...path, 'source']), name, Object.keys(sources)));
    return main;
  };
}

/** Returns the part of a context that depends on the source of an entry. */
function ownOf(name: string, main: Context, given: Facts): Partial<Context> {
  const source = main.release.sources[name]!;
  const version = 'sdist' in source ? source.sdist.split('==')[1]! : source.version;
  const git = given.sources?.[name] ?? null;
  const step = sourceStepId(name);
  return {
    ...{ facts: { ...given, git }, version: version ?? main.version, madeVersion: version ?? null },
    ...{ commit: git?.commit ?? null, sourceStep: step, ownSource: step },
  };
}

/** Returns the source of a context's entries, as the file says it. Undefined without one. */
export const sourceIn = ({ release, ownSource }: Pick<Context, 'release' | 'ownSource'>): NamedSource | undefined =>
  ownSource === undefined ? release.source : release.sources[ownSource.slice(sourceStepId('').length)];

/** Returns the name of the sdist that an entry is built from. Undefined: it is built from a tree. */
export const sdistOf = (
  { needs = [] }: { readonly needs?: readonly string[] },
  { sdists }: Pick<ReleaseFile, 'sdists'>,
): string | undefined =>
  needs.flatMap((need) => /^sdists\/([^[]+)/.exec(need)?.[1] ?? []).find((one) => Object.hasOwn(sdists, one));

/** Returns the name of an entry's source: its own, else that of the sdist that it needs. An entry that names another
 * source than its sdist is a problem. */
export function sourceNameOf(
  entry: { readonly source?: string | undefined; readonly needs: readonly string[] },
  path: Path,
  { release, complain, at }: Context,
): string | undefined {
  const sdist = sdistOf(entry, release);
  if (sdist === undefined) return entry.source;
  const theirs = release.sdists[sdist]!.source;
  if (entry.source !== undefined && entry.source !== theirs)
    complain(problems.otherSource(at([...path, 'source']), entry.source, sdist, theirs ?? null));
  return theirs;
}
