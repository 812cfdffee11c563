import { resolve } from 'node:path';
import {
  type AnyAsk,
  type Ask,
  type ChangedAsk,
  type CommitAsk,
  LARGEST_TEXT,
  type OwnAsk,
} from '../../importers/index.js';
import { fail } from '../../model/failure.js';
import { together } from '../../model/together.js';
import type { Given } from '../../model/plan.js';
import { type Path, problems, type Spot } from '../../plan/errors.js';
import type { GitFacts } from '../../plan/facts.js';
import { gitSourceOf, type PlacedGitSource } from '../../plan/git-source.js';
import type { Import } from '../../plan/imports.js';
import type { ReadFile } from '../../plan/read/release-file.js';
import { withRepository, type Repository } from '../git/index.js';
import { home } from '../home.js';
import type { Answer, Answers } from './answers.js';
import { changesIn } from './changed.js';
import { problems as mistakes } from './errors.js';
import { openIndexes } from './index-answers/index.js';
import { openLists } from './lists/index.js';
import type { AskOurs } from './ours.js';
import type { Answering, AnswerPorts, Past } from '../../activities/plan/ports.js';
import { answerFromOutside, type OutsideAsk } from './outside-answers.js';

export type AnswerOf = (one: Import) => Answer;

interface Around {
  /** Null: the source is no repository. */
  readonly git: GitFacts | null;
  /** Absolute folder of the release file. */
  readonly folder: string;
  readonly given: Given;
  readonly ours: AskOurs;
  readonly pure: Past['pure'];
  readonly answers: Past['answers'];
}

/** Calls `use` with what answers an import, while the source's repository is open. */
export function withAnswers<T>(
  file: ReadFile,
  { git, folder, given, ours, pure, answers }: Around,
  use: (answer: AnswerOf) => Promise<T>,
): Promise<T> {
  const offline = given.offline === true;
  const outside = outsideOf(file, folder, { ours, pure }, offline);
  const own = openOwn(answers, { home: home(), folder, offline });
  return withCommit(file, { git, folder }, (commit) =>
    use((one) => answering(outside(one), own(one), commit([one.section, one.name]))),
  );
}

/** Calls `use` with what answers questions about the source's commit, while its repository is open. Without a commit, the answer is
 * a problem at the path. */
export function withCommit<T>(
  file: ReadFile,
  { git, folder }: Pick<Around, 'git' | 'folder'>,
  use: (answer: (path: Path) => AnswerSome<OfCommit>) => Promise<T>,
): Promise<T> {
  const source = gitSourceOf(file.content);
  if (git === null || source === null)
    return use((path) => () => Promise.reject(fail(problems.notImported(file.at(path)))));
  return withCommitOf({ source, path: ['source'] }, git.commit, { file, folder }, (answer) => use(() => answer));
}

/** Calls `use` with what answers questions about a commit of a source, while its repository is open. */
export function withCommitOf<T>(
  { source, path }: Omit<PlacedGitSource, 'name'>,
  commit: string,
  { file, folder }: { readonly file: ReadFile; readonly folder: string },
  use: (answer: AnswerSome<OfCommit>) => Promise<T>,
): Promise<T> {
  const top = source.folder === undefined ? `${commit}:` : `${commit}:${source.folder}/`;
  const spot = file.at([...path, 'git']);
  return withRepository(resolve(folder, source.git), (repository) =>
    use((asks, into) => answerFromCommit(repository, top, asks, into, spot)),
  );
}

type OfCommit = CommitAsk | ChangedAsk;
type AnswerSome<A> = (asks: readonly A[], into: Answers) => Promise<void>;

function answering(outside: AnswerSome<OutsideAsk>, own: AnswerSome<OwnAsk>, commit: AnswerSome<OfCommit>): Answer {
  return async (asks, into) => {
    const ofCommit = asks.filter(isOfCommit);
    if (ofCommit.length > 0) await commit(ofCommit, into);
    await outside(asks.filter(isOutside), into);
    await own(asks.filter(isOwn), into);
  };
}

const OUTSIDE: readonly Ask['ask'][] = ['branches', 'file', 'bindep', 'index', 'today', 'ours', 'pure'];
const isOwn = (ask: AnyAsk): ask is OwnAsk => 'keys' in ask;
const isOutside = (ask: AnyAsk): ask is OutsideAsk => !isOwn(ask) && OUTSIDE.includes(ask.ask);
const isOfCommit = (ask: AnyAsk): ask is OfCommit => !isOwn(ask) && !isOutside(ask);

/** Opens the answers of features. They are loaded when an importer asks for the first time. */
const openOwn =
  (answers: Past['answers'], ports: AnswerPorts) =>
  ({ say }: Import): AnswerSome<OwnAsk> =>
  async (asks, into) => {
    if (asks.length === 0) return;
    const features = Object.entries<Answering>(await answers());
    const all = together(
      'row of `answers`',
      Object.fromEntries(features.map(([name, own]) => [name, own.answers?.(ports) ?? {}])),
    );
    for (const { ask, keys } of asks) {
      const answer = all[ask];
      if (answer === undefined) throw fail(mistakes.askUnanswered(say.import, ask));
      const found = new Map(Object.entries(await answer(keys)));
      for (const key of keys) into[ask]![key] = found.get(key) ?? null;
    }
  };

/** All imports ask the same indexes; the repository is the import's own. */
function outsideOf(
  file: ReadFile,
  folder: string,
  past: Pick<Around, 'ours' | 'pure'>,
  offline: boolean,
): (one: Import) => AnswerSome<OutsideAsk> {
  const indexes = openIndexes({ offline });
  return ({ section, name }) => {
    const lists = openLists({ folder, offline, spot: file.at([section, name, 'git']) });
    return (asks, into) => answerFromOutside({ lists, indexes, ...past }, asks, into);
  };
}

/** Adds answers from a commit. @param top `COMMIT:` or `COMMIT:folder/` */
async function answerFromCommit(
  repository: Repository,
  top: string,
  all: readonly OfCommit[],
  into: Answers,
  spot: Spot,
): Promise<void> {
  const asks = all.filter((one) => one.ask !== 'changed');
  for (const one of all)
    if (one.ask === 'changed') into.changed[one.since ?? ''] = await changesIn(repository, top, one, spot);
  const paths = (...kinds: readonly string[]): readonly string[] =>
    asks.flatMap(({ ask, path }) => (kinds.includes(ask) ? [path] : []));
  const wanted = new Map(paths('present', 'id').map((path) => [path, -1]));
  for (const one of asks) if (one.ask === 'text') wanted.set(one.path, one.mostBytes ?? LARGEST_TEXT);
  const files = await repository.files(top, wanted);
  const large = [...wanted].filter(([path, most]) => most >= 0 && files.get(path)?.text === null);
  if (large.length > 0)
    throw fail(
      large.map(([path, most]) => mistakes.fileTooLarge({ place: { file: path } }, files.get(path)!.bytes, most)),
    );
  for (const path of paths('text')) into.text[path] = files.get(path)?.text ?? null;
  for (const path of paths('present')) into.present[path] = files.has(path);
  for (const path of paths('id')) into.id[path] = files.get(path)?.id ?? null;
  for (const path of paths('folder'))
    into.folder[path] = await repository.ask('ls-tree', '-z', '--name-only', `${top}${path === '.' ? '' : path}`).then(
      (names) => names.split('\0').filter(Boolean),
      () => null,
    );
}
