import {
  MOST_CANDIDATES,
  REVIEW_HOLDS_MS,
  type PruneCandidate,
  type PruneReview,
  type PrunedFile,
} from '../../../model/index-prune.js';
import { canonical } from '../../../model/json.js';
import { useKey } from '../../../model/index-use.js';
import type { WheelJudgement } from './judge.js';

type Judgements = ReadonlyMap<string, WheelJudgement>;

/** Makes the review of all candidates. Its bytes follow from its arguments. */
export function reviewOf(
  about: Pick<PruneReview, 'pipeline' | 'profile' | 'target' | 'at' | 'rules'>,
  judged: Judgements,
): PruneReview {
  const all = candidatesIn(judged);
  const candidates = all.slice(0, MOST_CANDIDATES);
  return { slipway: 1, kind: 'prune review', ...about, candidates, more: all.length - candidates.length };
}

export const candidatesIn = (judged: Judgements): readonly PruneCandidate[] =>
  [...judged].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, one]) => ('stays' in one ? [] : [one]));

/** Counts wheels that stay, by reason. */
export function stayCounts(judged: Judgements): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const one of judged.values()) if ('stays' in one) counts.set(one.stays, (counts.get(one.stays) ?? 0) + 1);
  return new Map([...counts].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1)));
}

/** Outcome of an applied review, per wheel. */
export interface SecondLook {
  readonly remove: readonly PrunedFile[];
  /** Candidates of the review that stay, with the reason. */
  readonly stay: readonly { readonly file: string; readonly because: string }[];
  /** Candidates that the review does not have. */
  readonly unreviewed: readonly PruneCandidate[];
}

/** Judges the candidates of a review again. A wheel is removed if it is a candidate now, and nobody fetched it since. */
export function secondLook(review: PruneReview, judged: Judgements): SecondLook {
  const looked = review.candidates.map((before) => ({ before, because: whyStays(before, review, judged) }));
  const known = new Set(review.candidates.map(({ platform, file }) => useKey(platform, file)));
  return {
    remove: looked.filter(({ because }) => because === null).map(({ before }) => prunedOf(before)),
    stay: looked.flatMap(({ before, because }) =>
      because === null ? [] : [{ file: useKey(before.platform, before.file), because }],
    ),
    unreviewed: candidatesIn(judged).filter(({ platform, file }) => !known.has(useKey(platform, file))),
  };
}

const prunedOf = ({ platform, file, digest }: PruneCandidate): PrunedFile => ({ platform, file, digest });

function whyStays(before: PruneCandidate, review: PruneReview, judged: Judgements): string | null {
  const now = judged.get(useKey(before.platform, before.file));
  if (now === undefined) return 'the index does not list it any more';
  if ('stays' in now) return now.stays;
  if (now.digest !== before.digest) return 'the index has other bytes under its name';
  return isFetchedSince(now.lastFetched, review.at) ? `it was fetched at ${now.lastFetched}` : null;
}

/** Access logs have whole seconds, so a GET in the second of the review counts as later. */
const isFetchedSince = (fetched: string | null, at: string): boolean =>
  fetched !== null && Date.parse(fetched) >= Math.floor(Date.parse(at) / 1000) * 1000;

/** Why a review cannot be applied any more. Null: it can. */
export function staleness(
  review: PruneReview,
  now: Pick<PruneReview, 'pipeline' | 'profile' | 'target' | 'at' | 'rules'>,
): string | null {
  const other = (['pipeline', 'profile', 'target'] as const).find((key) => review[key] !== now[key]);
  if (other !== undefined) return `it is of the ${other} ${review[other]}, not ${now[other]}`;
  if (canonical(review.rules) !== canonical(now.rules)) return 'the keys of `prune` were changed since';
  const ageMs = Date.parse(now.at) - Date.parse(review.at);
  return ageMs > REVIEW_HOLDS_MS ? `it was made at ${review.at}, more than 7 days ago` : null;
}
