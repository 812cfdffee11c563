import { stayCounts, type SecondLook } from '../../engine/index/prune/review.js';
import type { WheelJudgement } from '../../engine/index/prune/judge.js';
import { counted } from '../../model/counted.js';
import type { Digest } from '../../model/digest.js';
import { sentence } from '../../model/failure.js';
import type { Finding } from '../../model/finding.js';
import type { PruneCandidate, PruneOrder, PruneReview } from '../../model/index-prune.js';
import type { IndexUse } from '../../model/index-use.js';
import { size } from '../render/duration.js';
import { plain, table, type Colours } from '../render/paint.js';

export interface ShownReview {
  readonly digest: Digest;
  readonly review: PruneReview;
  readonly judged: ReadonlyMap<string, WheelJudgement>;
  readonly use: IndexUse;
  readonly due: readonly string[];
  readonly file: string;
}

/** Screen of a review: wheels that a prune would remove, and wheels that stay. */
export function reviewLines(
  { digest, review, judged, use, due, file }: ShownReview,
  paint: Colours,
): readonly string[] {
  const { candidates, target, pipeline, profile } = review;
  const next = `slipway cache prune ${plain(file)} --apply ${digest}`;
  return [
    `${paint.bold(`${plain(pipeline)}  index ${plain(target)}`)}  profile ${plain(profile)}  ${counted(judged.size, 'wheel')}  ${readText(use)}`,
    '',
    ...judgedLines(review, judged, candidateCells, paint),
    ...dueLine(due),
    '',
    `Nothing was removed. The review holds for 7 days; a wheel that is fetched or wanted meanwhile stays.`,
    ...(candidates.length > 0 || due.length > 0 ? [`  ${next}`] : []),
  ];
}

/** Lines about candidates and about wheels that stay. */
export function judgedLines(
  { candidates, more }: PruneReview,
  judged: ShownReview['judged'],
  cells: (one: PruneCandidate) => readonly string[],
  paint: Colours,
): readonly string[] {
  const total = size(candidates.reduce((sum, one) => sum + one.size, 0));
  const stay = [...stayCounts(judged)];
  return [
    candidates.length === 0
      ? 'To remove  nothing'
      : paint.bold(`To remove  ${counted(candidates.length, 'wheel')}, ${total}`),
    ...table(candidates.map(cells)),
    ...(more > 0 ? [`  and ${more} more: they are in the next review`] : []),
    ...table(stay.map(([because, count], at) => [at === 0 ? 'Stay' : '', String(count), plain(because)])),
  ];
}

const readText = ({ read }: IndexUse): string => {
  const last = read.at(-1);
  return last === undefined
    ? 'no access log was read'
    : `access logs from ${last.from.slice(0, 10)} to ${last.to.slice(0, 10)}`;
};

const candidateCells = ({ reason, because, lastFetched, ...one }: PruneCandidate): readonly string[] => [
  `  ${one.platform}`,
  plain(one.file),
  size(one.size),
  plain(because === '' ? reason : `${reason}: ${because}`),
  lastFetched === null ? 'no fetch is known' : `last fetched ${lastFetched.slice(0, 10)}`,
];

/** @param due stamps, the first one first */
const dueLine = (due: readonly string[]): readonly string[] =>
  due.length === 0
    ? []
    : [`On disk    ${counted(due.length, 'removed wheel')} until the grace is over; the first until ${dayOf(due[0]!)}`];

const dayOf = (stamp: string): string => stamp.replace(/^(\d{4})(\d\d)(\d\d)T.*$/, '$1-$2-$3');

export interface Applied {
  readonly record: string;
  readonly order: PruneOrder;
  readonly look: SecondLook;
  readonly findings: readonly Finding[];
}

/** Screen of an applied review. */
export function appliedLines({ record, order, look, findings }: Applied, paint: Colours): readonly string[] {
  const { remove, stay, graceMs, at } = order;
  const until = new Date(Date.parse(at) + graceMs).toISOString().slice(0, 10);
  return [
    paint.bold(
      remove.length === 0
        ? 'No wheel was removed'
        : `${counted(remove.length, 'wheel')} left the pages; their bytes leave the disk from ${until} on`,
    ),
    ...remove.map(({ platform, file }) => `  ${platform}  ${plain(file)}`),
    ...stayLines(stay, look.unreviewed.length, paint),
    ...findings.map(
      ({ code, subject, why, next }) => `${code} ${plain(subject)}: ${sentence(plain(why))} ${plain(next)}`,
    ),
    `Recorded as ${plain(record)}`,
  ];
}

/** Lines about candidates of a review that stay, and about others that it does not have. */
export const stayLines = (stay: PruneOrder['stay'], unreviewed: number, paint: Colours): readonly string[] => [
  ...(stay.length === 0 ? [] : [paint.bold(`Stay  ${counted(stay.length, 'wheel')} of the review`)]),
  ...table(stay.map(({ file, because }) => [`  ${plain(file)}`, plain(because)])),
  ...(unreviewed === 0
    ? []
    : [`${counted(unreviewed, 'wheel')} more can be removed; they need a new review: slipway cache prune`]),
];
