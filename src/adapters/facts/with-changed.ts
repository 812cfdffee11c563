import type { Changes } from '../../importers/index.js';
import { fail } from '../../model/failure.js';
import { whyUnchanged } from '../../plan/changed/unchanged.js';
import { problems } from '../../plan/changed/errors.js';
import { type When, whenKey, whensOf } from '../../plan/changed/whens.js';
import { gitSourceOf, namedGitSources, type PlacedGitSource } from '../../plan/git-source.js';
import { inOrder } from '../../plan/in-order.js';
import type { ReadFile } from '../../plan/read/release-file.js';
import { type Answers, answersFrom, noAnswers } from './answers.js';
import { withCommitOf } from './answering.js';
import { allOf } from './git.js';
import { missing, type Source } from './imports.js';

type Around = Pick<Source, 'git' | 'sources' | 'folder' | 'given' | 'before'>;

/** Returns the release file with what each `when: { changed }` decides, and the answers by source from which it is decided: null if
 * the file has no such condition. Throws every problem of the conditions at once. */
export async function withChanged(
  file: ReadFile,
  { git, sources, folder, given, before }: Around,
): Promise<{ readonly file: ReadFile; readonly answers: Readonly<Record<string, Answers>> | null }> {
  const whens = whensOf(file.content);
  const { since = null } = given;
  if (whens.length === 0 && since !== null) throw fail(problems.sinceUnused(file.at([]), since));
  if (whens.length === 0) return { file, answers: null };
  const all = placedSources(file);
  const unplaced = whens.filter(({ source }) => !all.has(source));
  if (unplaced.length > 0) throw fail(unplaced.map((when) => notACommit(when, file)));
  const made = [...new Set(whens.map(({ source }) => source))].map(async (name) => {
    const answers = noAnswers();
    const globs = [...new Set(whens.flatMap(({ source, changed }) => (source === name ? changed : [])))];
    const ask = { ask: 'changed', since, globs } as const;
    const { commit, named = commit } = (name === '' ? git : sources![name])!;
    if (before) await answersFrom(before.changed?.[name] ?? {}, missing)([ask], answers);
    else await withCommitOf(all.get(name)!, named, { file, folder }, (answer) => answer([ask], answers));
    return [name, answers] as const;
  });
  const answers = Object.fromEntries(await allOf(made));
  const changesOf = ({ source }: When): Changes => answers[source]!.changed[since ?? '']!;
  const found = whens.flatMap((when) => {
    const { near } = changesOf(when);
    const lost = when.changed.filter((glob) => (Object.hasOwn(near, glob) ? near[glob]! : missing(glob)).length === 0);
    return lost.map((glob) => problems.noFile(file.at([...when.path, when.changed.indexOf(glob)]), glob));
  });
  if (found.length > 0) throw fail(inOrder(found));
  const why = (when: When): string | null => (since === null ? null : whyUnchanged(when, since, changesOf(when)));
  return { file: { ...file, unchanged: new Map(whens.map((when) => [whenKey(when), why(when)])) }, answers };
}

/** Sources that are commits, by name. */
function placedSources({ content }: ReadFile): ReadonlyMap<string, PlacedGitSource> {
  const main = gitSourceOf(content);
  const own = main === null ? [] : [{ name: '', source: main, path: ['source'] }];
  return new Map([...own, ...namedGitSources(content)].map((one) => [one.name, one]));
}

const notACommit = ({ path, source }: When, { at }: ReadFile) =>
  problems.noCommit(at(path), source === '' ? 'the source of the file' : `the source ${source}`);
