import type { Changes } from '../../importers/index.js';
import { fail, type Problem } from '../../model/failure.js';
import { LARGEST_RULES, readRules, type Rules } from '../../plan/changed/rules.js';
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
    const own = whens.filter(({ source }) => source === name);
    const globs = [...new Set(own.flatMap(({ changed }) => ('rules' in changed ? [] : changed)))];
    const rules = [...new Set(own.flatMap(({ changed }) => ('rules' in changed ? changed.rules : [])))];
    const asks = [
      { ask: 'changed', since, globs, ...(rules.length > 0 && { rules }) } as const,
      ...rules.map((path) => ({ ask: 'text', path, mostBytes: LARGEST_RULES }) as const),
    ];
    const { commit, named = commit } = (name === '' ? git : sources![name])!;
    if (before) await answersFrom(before.changed?.[name] ?? {}, missing)(asks, answers);
    else await withCommitOf(all.get(name)!, named, { file, folder }, (answer) => answer(asks, answers));
    return [name, answers] as const;
  });
  const answers = Object.fromEntries(await allOf(made));
  const changesOf = ({ source }: When): Changes => answers[source]!.changed[since ?? '']!;
  const found: Problem[] = [];
  const read = new Map(
    Object.entries(answers).map(([name, { text, changed }]) => {
      const { paths, links = [] } = changed[since ?? '']!;
      const files = Object.fromEntries(Object.entries(text).filter(([path]) => !links.includes(path)));
      return [name, readRules(files, paths, (one) => found.push(one))] as const;
    }),
  );
  found.push(...whens.flatMap((when) => lostIn(when, file, changesOf(when), read.get(when.source)!)));
  if (found.length > 0) throw fail(inOrder(found));
  const why = (when: When): string | null =>
    since === null ? null : whyUnchanged(when, since, changesOf(when), read.get(when.source));
  return { file: { ...file, unchanged: new Map(whens.map((when) => [whenKey(when), why(when)])) }, answers };
}

/** Returns a problem for each glob that no file has, rules file that the commit lacks, and tag that no rule gives. */
function lostIn(
  { path, changed }: When,
  { at }: ReadFile,
  { near, links }: Changes,
  read: ReadonlyMap<string, Rules>,
): readonly Problem[] {
  if (!('rules' in changed)) {
    const lost = changed.filter((glob) => (Object.hasOwn(near, glob) ? near[glob]! : missing(glob)).length === 0);
    return lost.map((glob) => problems.noFile(at([...path, changed.indexOf(glob)]), glob));
  }
  const { rules: files, tags } = changed;
  const absent = files.filter((file) => !read.has(file));
  const given = new Set(files.flatMap((file) => [...(read.get(file)?.lines.keys() ?? [])]));
  const unknown = absent.length > 0 ? [] : tags.filter((tag) => !given.has(tag));
  return [
    ...absent.map((file) =>
      problems.noRules(at([...path, 'rules', files.indexOf(file)]), file, links?.includes(file) === true),
    ),
    ...unknown.map((tag) => problems.noSuchTag(at([...path, 'tags', tags.indexOf(tag)]), tag, given, files)),
  ];
}

/** Sources that are commits, by name. */
function placedSources({ content }: ReadFile): ReadonlyMap<string, PlacedGitSource> {
  const main = gitSourceOf(content);
  const own = main === null ? [] : [{ name: '', source: main, path: ['source'] }];
  return new Map([...own, ...namedGitSources(content)].map((one) => [one.name, one]));
}

const notACommit = ({ path, source }: When, { at }: ReadFile) =>
  problems.noCommit(at(path), source === '' ? 'the source of the file' : `the source ${source}`);
