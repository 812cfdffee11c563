import { sourceStepId } from '../model/ids.js';
import type { NamedSource } from '../model/schema/sections/sources.js';
import type { Context } from './context.js';
import { problems, type Path } from './errors.js';
import type { Facts } from './facts.js';
import type { ReadFile } from './read/release-file.js';
import { createTexts } from './texts.js';

/** The part of a context that depends on the source of an entry. */
type Own = Pick<
  Context,
  'facts' | 'version' | 'commit' | 'sourceStep' | 'ownSource' | 'madeVersion' | 'text' | 'line' | 'failed'
>;

/** Returns a function that gives the context of an entry's own source. */
export function createSourced(main: Context, file: ReadFile, facts: Facts): Context['sourced'] {
  const made = new Map<string, Context>();
  const contextOf = (name: string): Context => {
    const context = made.get(name) ?? { ...main, ...ownOf(name, main, file, facts) };
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

function ownOf(name: string, main: Context, file: ReadFile, given: Facts): Own {
  const source = main.release.sources[name]!;
  const version = 'sdist' in source ? source.sdist.split('==')[1]! : source.version;
  const git = given.sources?.[name] ?? null;
  const facts = { ...given, git };
  const step = sourceStepId(name);
  const texts = createTexts(facts, version ?? main.version, file, main.complain);
  return {
    facts,
    version: version ?? main.version,
    commit: git?.commit ?? null,
    ...{ sourceStep: step, ownSource: step, madeVersion: version ?? null },
    ...texts,
    get failed() {
      return main.failed;
    },
  };
}

/** Returns the source of a context's entries, as the file says it. Undefined without one. */
export const sourceIn = ({ release, ownSource }: Pick<Context, 'release' | 'ownSource'>): NamedSource | undefined =>
  ownSource === undefined ? release.source : release.sources[ownSource.slice(sourceStepId('').length)];

/** Returns the name of an entry's source: its own, else that of the sdist that it needs. An entry that names another
 * source than its sdist is a problem. */
export function sourceNameOf(
  entry: { readonly source?: string | undefined; readonly needs: readonly string[] },
  path: Path,
  { release, complain, at }: Context,
): string | undefined {
  const sdist = entry.needs
    .flatMap((need) => /^sdists\/([^[]+)/.exec(need)?.[1] ?? [])
    .find((one) => Object.hasOwn(release.sdists, one));
  if (sdist === undefined) return entry.source;
  const theirs = release.sdists[sdist]!.source;
  if (entry.source !== undefined && entry.source !== theirs)
    complain(problems.otherSource(at([...path, 'source']), entry.source, sdist, theirs ?? null));
  return theirs;
}
