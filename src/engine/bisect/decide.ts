import type { BisectAnswer, Try } from '../../model/bisect.js';
import { count, MOST_REPEATS, repeatsFor, triesLeft, verdictOfTries, type CommitVerdict } from './tries.js';

export interface BisectQuestion {
  /** Number of commits, oldest first. The first is the good end, the last the bad one. At least 2. */
  readonly commits: number;
  /** Commits tried at once. */
  readonly ways: number;
}
/** All tries so far, by commit. */
export type Tries = ReadonlyMap<number, readonly Try[]>;

export type BisectStep =
  | { readonly next: 'try'; readonly ask: readonly { readonly commit: number; readonly times: number }[] }
  | { readonly next: 'end'; readonly answer: BisectAnswer };

/** Tries of the bad end. They tell how often a commit with the fault fails. */
const BAD_TRIES = 5;

/** Decides what is tried next. Pure: the same tries give the same step, whoever made them. */
export function decideBisect(question: BisectQuestion, tries: Tries): BisectStep {
  const bad = question.commits - 1;
  const triesOf = (commit: number): readonly Try[] => tries.get(commit) ?? [];
  const atBad = badEnd(triesOf(bad), bad);
  if (typeof atBad !== 'number') return atBad;
  const base = repeatsFor(atBad);
  const atGood = goodEnd(triesOf(0), base);
  if (atGood !== null) return atGood;
  const middle = middleOf(question, tries, base);
  const conflict = middle.passes.filter((commit) => commit > middle.high);
  if (conflict.length > 0) return again(conflict, triesOf, base, middle);
  if (middle.open.length > 0) return { next: 'try', ask: asks(middle.open, triesOf, base) };
  return narrowed(question, middle, base);
}

/** Share of failures at the bad end, or the step that is needed to know it. */
function badEnd(tries: readonly Try[], bad: number): number | BisectStep {
  const [passes, fails] = [count(tries, 'pass'), count(tries, 'fail')];
  if (fails === 0 && verdictOfTries(tries, MOST_REPEATS) === 'skip')
    return ended({ answer: 'cannot be tried', commit: bad });
  if (fails === 0 && passes >= MOST_REPEATS) return ended({ answer: 'passes at the bad end' });
  const wanted = fails === 0 && passes >= BAD_TRIES ? MOST_REPEATS : BAD_TRIES;
  const left = count(tries, 'infra') >= 3 && fails > 0 ? 0 : wanted - passes - fails;
  return left > 0 ? { next: 'try', ask: [{ commit: bad, times: left }] } : fails / (passes + fails);
}

function goodEnd(tries: readonly Try[], repeats: number): BisectStep | null {
  switch (verdictOfTries(tries, repeats)) {
    case 'pass':
      return null;
    case 'fail':
      return ended({ answer: 'fails at the good end' });
    case 'skip':
      return ended({ answer: 'cannot be tried', commit: 0 });
    case null:
      return { next: 'try', ask: [{ commit: 0, times: triesLeft(tries, repeats) }] };
  }
}

interface Middle {
  /** Highest commit known to pass below `high`. */
  readonly low: number;
  /** Lowest commit known to fail. */
  readonly high: number;
  readonly passes: readonly number[];
  readonly skipped: ReadonlySet<number>;
  /** Commits between both with tries and without a verdict. */
  readonly open: readonly number[];
}

function middleOf({ commits }: BisectQuestion, tries: Tries, repeats: number): Middle {
  const known = [...tries].filter(([commit]) => commit > 0 && commit < commits - 1).sort(([a], [b]) => a - b);
  const having = (verdict: CommitVerdict): readonly number[] =>
    known.filter(([, each]) => verdictOfTries(each, repeats) === verdict).map(([commit]) => commit);
  const high = Math.min(commits - 1, ...having('fail'));
  const passes = having('pass');
  const low = Math.max(0, ...passes.filter((commit) => commit < high));
  const open = having(null).filter((commit) => commit > low && commit < high);
  return { low, high, passes, skipped: new Set(having('skip')), open };
}

/** Passes above a failure are tried as often again, once. */
function again(
  conflict: readonly number[],
  of: (commit: number) => readonly Try[],
  repeats: number,
  { low, high }: Middle,
): BisectStep {
  const more = conflict.filter((commit) => triesLeft(of(commit), 2 * repeats) > 0 && count(of(commit), 'infra') < 3);
  if (more.length > 0) return { next: 'try', ask: asks(more, of, 2 * repeats) };
  return ended({ answer: 'not monotone', from: low, to: Math.max(high, ...conflict), repeats: 2 * repeats });
}

function narrowed({ ways }: BisectQuestion, { low, high, skipped }: Middle, repeats: number): BisectStep {
  if (high - low === 1) return ended({ answer: 'blamed', commit: high, repeats });
  const chosen = places(low, high, ways, (commit) => !skipped.has(commit));
  return chosen.length === 0
    ? ended({ answer: 'span', from: low, to: high, repeats })
    : { next: 'try', ask: chosen.map((commit) => ({ commit, times: repeats })) };
}

const asks = (commits: readonly number[], of: (commit: number) => readonly Try[], repeats: number) =>
  commits.map((commit) => ({ commit, times: triesLeft(of(commit), repeats) }));

const ended = (answer: BisectAnswer): BisectStep => ({ next: 'end', answer });

/** Returns the commits that an answer blames: a hash, or a range as `git log` takes it. Null for any other answer. */
export function blameOf(answer: BisectAnswer, commits: readonly string[]): string | null {
  switch (answer.answer) {
    case 'blamed':
      return commits[answer.commit]!;
    case 'span':
      return `${commits[answer.from]!}..${commits[answer.to]!}`;
    default:
      return null;
  }
}

/** Returns up to `ways` commits strictly between `low` and `high` that divide the span evenly. A commit that may not be tried
 * leaves its place to the nearest one that may. Empty if there is none. */
export function places(
  low: number,
  high: number,
  ways: number,
  mayTry: (commit: number) => boolean,
): readonly number[] {
  const chosen = new Set<number>();
  for (let i = 1; i <= ways; i++) {
    const wish = low + Math.floor(((high - low) * i) / (ways + 1));
    const place = nearest(wish, low, high, (commit) => mayTry(commit) && !chosen.has(commit));
    if (place !== null) chosen.add(place);
  }
  return [...chosen].sort((a, b) => a - b);
}

function nearest(wish: number, low: number, high: number, may: (commit: number) => boolean): number | null {
  for (let away = 0; away < high - low; away++)
    for (const place of away === 0 ? [wish] : [wish - away, wish + away])
      if (place > low && place < high && may(place)) return place;
  return null;
}
