import { resolve } from 'node:path';
import type { Ask, CommitAsk } from '../../importers/index.js';
import { fail } from '../../model/failure.js';
import type { Given } from '../../model/plan.js';
import { problems } from '../../plan/errors.js';
import type { GitFacts } from '../../plan/facts.js';
import { gitSourceOf } from '../../plan/git-source.js';
import type { Import } from '../../plan/imports.js';
import type { ReadFile } from '../../plan/read/release-file.js';
import { withRepository } from '../git/index.js';
import type { Answer, Answers } from './answers.js';
import { answerFromCommit } from './commit-answers.js';
import { openIndexes } from './index-answers/index.js';
import { openLists } from './lists/index.js';
import type { AskOurs } from './ours.js';
import type { Past } from '../../activities/plan/ports.js';
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
}

/** Calls `use` with what answers an import, while the source's repository is open. */
export function withAnswers<T>(
  file: ReadFile,
  { git, folder, given, ours, pure }: Around,
  use: (answer: AnswerOf) => Promise<T>,
): Promise<T> {
  const source = gitSourceOf(file.content);
  const outside = outsideOf(file, folder, { ours, pure }, given.offline === true);
  if (git === null || source === null)
    return use((one) => answering(outside(one), () => Promise.reject(needsGit(file, one))));
  const top = source.folder === undefined ? `${git.commit}:` : `${git.commit}:${source.folder}/`;
  return withRepository(resolve(folder, source.git), (repository) =>
    use((one) => answering(outside(one), (asks, into) => answerFromCommit(repository, top, asks, into))),
  );
}

const needsGit = (file: ReadFile, { section, name }: Import): Error =>
  fail(problems.notImported(file.at([section, name])));

type AnswerSome<A> = (asks: readonly A[], into: Answers) => Promise<void>;

function answering(outside: AnswerSome<OutsideAsk>, commit: AnswerSome<CommitAsk>): Answer {
  return async (asks, into) => {
    const ofCommit = asks.filter(isOfCommit);
    if (ofCommit.length > 0) await commit(ofCommit, into);
    await outside(asks.filter(isOutside), into);
  };
}

const OUTSIDE: readonly Ask['ask'][] = ['branches', 'file', 'bindep', 'index', 'today', 'ours', 'pure'];
const isOutside = (ask: Ask): ask is OutsideAsk => OUTSIDE.includes(ask.ask);
const isOfCommit = (ask: Ask): ask is CommitAsk => !isOutside(ask);

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
