import { counted } from '../../model/counted.js';
import type { FolderPruneOrder } from '../../model/folder-prune.js';
import { size } from '../render/duration.js';
import { plain, type Colours } from '../render/paint.js';
import { judgedLines, stayLines, type ShownReview } from './cache-prune.js';

interface ShownFolder extends Omit<ShownReview, 'use' | 'due'> {
  /** Absolute. */
  readonly path: string;
  /** As it was typed. */
  readonly folder: string;
}

/** Screen of the review of a folder with wheels. */
export function folderReviewLines(
  { digest, review, judged, path, folder, file }: ShownFolder,
  paint: Colours,
): readonly string[] {
  return [
    `${paint.bold(plain(path))}  ${counted(judged.size, 'file')}, judged by the lists of ${plain(review.pipeline)}`,
    '',
    ...judgedLines(
      review,
      judged,
      (one) => [`  ${plain(one.platform)}`, plain(one.file), size(one.size), plain(`${one.reason}: ${one.because}`)],
      paint,
    ),
    '',
    'Nothing was removed. The review holds for 7 days. There is no grace: --apply removes the files at once.',
    ...(review.candidates.length > 0
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
    ...stayLines(stay, unreviewed, paint),
    `Recorded as ${plain(record)}`,
  ];
}
