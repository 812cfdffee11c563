import type { Past } from '../../activities/plan/ports.js';
import {
  type Ask,
  type BindepAsk,
  bindepKey,
  type ChangedAsk,
  type CommitAsk,
  type FileAsk,
  fileKey,
  openWork,
} from '../../importers/index.js';
import { fail, type Problem } from '../../model/failure.js';
import type { Answers } from './answers.js';
import { askBindep } from './bindep/index.js';
import type { AskIndexes } from './index-answers/index.js';
import type { Lists } from './lists/index.js';
import type { AskOurs } from './ours.js';

export interface Outside {
  readonly lists: Lists;
  readonly indexes: AskIndexes;
  readonly ours: AskOurs;
  readonly pure: Past['pure'];
}

/** Questions about anything but the source. */
export type OutsideAsk = Exclude<Ask, CommitAsk | ChangedAsk>;

/** Adds answers of other repositories, of indexes, of bindep and of earlier runs. */
export async function answerFromOutside(
  { lists, indexes, ours, pure }: Outside,
  asks: readonly OutsideAsk[],
  into: Answers,
): Promise<void> {
  const files: FileAsk[] = [];
  const bindeps: BindepAsk[] = [];
  for (const one of asks) {
    if (one.ask === 'branches') into.branches[one.git] = await lists.branches(one.git);
    else if (one.ask === 'file') files.push(one);
    else if (one.ask === 'bindep') bindeps.push(one);
    else if (one.ask === 'ours') into.ours[one.platform] = await ours(one.platform);
    else if (one.ask === 'pure') Object.assign(into.pure, await pure(one.sdists));
    else if (one.ask === 'today') into.today['UTC'] = new Date().toISOString().slice(0, 10);
    else Object.assign(into.index, await indexes(one.projects, one.maxAgeMs));
  }
  const texts = await textsOf([...files, ...bindeps], lists);
  for (const one of files) into.file[fileKey(one)] = texts.get(fileKey(one))!;
  await answerBindep(bindeps, texts, into);
}

type Place = Omit<FileAsk, 'ask'>;
type Texts = ReadonlyMap<string, string | null>;

/** Reads each commit once. Texts by `fileKey`. */
async function textsOf(places: readonly Place[], lists: Lists): Promise<Texts> {
  const texts = new Map<string, string | null>();
  const commits = new Map<string, Place[]>();
  for (const one of places) {
    const key = `${one.git} ${one.commit}`;
    commits.set(key, [...(commits.get(key) ?? []), one]);
  }
  for (const all of commits.values()) {
    const { git, commit } = all[0]!;
    const found = await lists.texts(git, commit, [...new Set(all.map(({ path }) => path))]);
    for (const [path, text] of found) texts.set(fileKey({ git, commit, path }), text);
  }
  return texts;
}

async function answerBindep(asks: readonly BindepAsk[], texts: Texts, into: Answers): Promise<void> {
  assertBindeps(asks, texts);
  const there = asks.flatMap((one) => {
    const text = texts.get(fileKey(one)) ?? null;
    if (text === null) into.bindep[bindepKey(one)] = null;
    return text === null ? [] : [{ one, question: { text, platform: one.platform, profiles: one.profiles } }];
  });
  const answers = await askBindep(there.map(({ question }) => question));
  for (const [at, { one }] of there.entries()) into.bindep[bindepKey(one)] = answers[at]!;
}

/** bindep needs five seconds for the longest file. */
const LONGEST_BINDEP = 65_536;
/** Most characters of the bindep files of all branches. A file that several branches have counts once. */
const MOST_BINDEP = 4 * LONGEST_BINDEP;

/** Throws IMPORT_TOO_LARGE for more than bindep reads in reasonable time. */
function assertBindeps(asks: readonly BindepAsk[], texts: Texts): void {
  const refuse = (problem: Problem): never => {
    throw fail(problem);
  };
  const all = openWork(MOST_BINDEP, 'characters of bindep files', refuse);
  const seen = new Set<string | null | undefined>([null, undefined]);
  for (const one of asks) {
    const text = texts.get(fileKey(one));
    if (seen.has(text)) continue;
    seen.add(text);
    const line = text!.slice(0, LONGEST_BINDEP).split('\n').length;
    const place = { file: `${one.commit.slice(0, 12)}:${one.path}`, line };
    openWork(LONGEST_BINDEP, 'characters of one bindep file', refuse)(text!.length, place);
    all(text!.length, place);
  }
}
