import type { WheelJudgement } from '../../engine/index/prune/judge.js';
import { stayCounts } from '../../engine/index/prune/review.js';
import { counted } from '../../model/counted.js';
import type { Digest } from '../../model/digest.js';
import type { FolderPruneOrder } from '../../model/folder-prune.js';
import type { PruneReview } from '../../model/index-prune.js';
import { size } from '../render/duration.js';
import { plain, table, type Colours } from '../render/paint.js';

interface ShownReview {
  readonly digest: Digest;
  readonly review: PruneReview;
  readonly judged: ReadonlyMap<string, WheelJudgement>;
  /** Absolute. */
  readonly path: string;
  /** As it was typed. */
  readonly folder: string;
  readonly file: string;
}

/** Screen of the review of a folder with wheels. */
export function folderReviewLines(
  { digest, review, judged, path, folder, file }: ShownReview,
  paint: Colours,
): readonly string[] {
  const { candidates, more } = review;
  const total = candidates.reduce((sum, one) => sum + one.size, 0);
  return [
    `${paint.bold(plain(path))}  ${counted(judged.size, 'file')}, judged by the lists of ${plain(review.pipeline)}`,
    '',
    paint.bold(
      candidates.length === 0
        ? 'To remove  nothing'
        : `To remove  ${counted(candidates.length, 'wheel')}, ${size(total)}`,
    ),
    ...table(
      candidates.map(({ platform, file: name, size: bytes, reason, because }) => [
        `  ${plain(platform)}`,
        plain(name),
        size(bytes),
        plain(`${reason}: ${because}`),
      ]),
    ),
    ...(more > 0 ? [`  and ${more} more: they are in the next review`] : []),
    ...table(
      [...stayCounts(judged)].map(([because, count], at) => [at === 0 ? 'Stay' : '', String(count), plain(because)]),
    ),
    '',
    'Nothing was removed. The review holds for 7 days. There is no grace: --apply removes the files at once.',
    ...(candidates.length > 0
      ? [`  slipway cache prune ${plain(file)} --folder ${plain(folder)} --apply ${digest}`]
      : []),
  ];
}

interface Applied {
  readonly record: string;
  readonly order: FolderPruneOrder;
  /** Wheels that could not be removed. */
  readonly left: readonly { readonly file: string; readonly because: string }[];
  readonly unreviewed: number;
}

/** Screen of an applied review of a folder. */
export function folderAppliedLines({ record, order, left, unreviewed }: Applied, paint: Colours): readonly string[] {
  const stay = [...order.stay, ...left];
  const failed = new Set(left.map(({ file }) => file));
  const gone = order.remove.filter(({ folder, file }) => !failed.has(`${folder}/${file}`));
  return [
    paint.bold(
      gone.length === 0 ? 'No wheel was removed' : `${counted(gone.length, 'wheel')} removed from ${plain(order.path)}`,
    ),
    ...gone.map(({ folder, file }) => `  ${plain(folder)}  ${plain(file)}`),
    ...(stay.length === 0 ? [] : [paint.bold(`Stay  ${counted(stay.length, 'wheel')} of the review`)]),
    ...table(stay.map(({ file, because }) => [`  ${plain(file)}`, plain(because)])),
    ...(unreviewed === 0
      ? []
      : [`${counted(unreviewed, 'wheel')} more can be removed; they need a new review: slipway cache prune`]),
    `Recorded as ${plain(record)}`,
  ];
}
