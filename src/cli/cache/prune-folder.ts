import { reviewOf, secondLook, staleness } from '../../engine/index/prune/review.js';
import { fail } from '../../model/failure.js';
import type { FolderPruneOrder } from '../../model/folder-prune.js';
import type { PruneReview } from '../../model/index-prune.js';
import type { ExitCode, Input, Io } from '../command.js';
import type { FolderPrunePort, Ports } from '../ports.js';
import { colours } from '../render/paint.js';
import { folderAppliedLines, folderReviewLines } from '../screens/folder-prune.js';
import { sender } from '../send-action.js';
import { folderWithLog, reviewStale, reviewUnknown } from './prune-errors.js';

interface Looking {
  readonly port: FolderPrunePort;
  readonly judged: ReturnType<FolderPrunePort['judge']>;
  readonly at: string;
  readonly folder: string;
  readonly file: string;
}

/** Reviews a folder with wheels that no index of ours holds, or applies such a review. */
export async function pruneFolder(folder: string, input: Input, io: Io, ports: Ports): Promise<ExitCode> {
  const { args, options } = input;
  const file = args['file'] ?? 'slipway.yaml';
  if (options['log'] !== undefined) throw fail(folderWithLog());
  const target = typeof options['target'] === 'string' ? options['target'] : null;
  const ask = { profile: String(options['profile'] ?? 'local'), target, log: null };
  const port = await ports.pruneFolder(file, folder, ask, options['offline'] === true ? { offline: true } : {});
  const nowMs = Date.now();
  const looking = { port, judged: port.judge(nowMs), at: new Date(nowMs).toISOString(), folder, file };
  const digest = options['apply'];
  if (typeof digest !== 'string') return propose(looking, input, io);
  const review = await port.review(digest);
  if (review === null) throw fail(reviewUnknown(digest));
  const stale = staleness(review, { ...port.about, at: looking.at });
  if (stale !== null) throw fail(reviewStale(stale));
  return apply(looking, { review, digest }, input, io, ports);
}

async function propose({ port, judged, at, folder, file }: Looking, { options }: Input, io: Io): Promise<ExitCode> {
  const review = reviewOf({ ...port.about, at }, judged);
  const digest = await port.keepReview(review);
  if (options['json'] === true) io.out(JSON.stringify({ digest, review, stay: staying(judged) }));
  else {
    const shown = { digest, review, judged, path: port.path, folder, file };
    io.out(folderReviewLines(shown, colours(io.terminal.colour)).join('\n'));
  }
  return 0;
}

export const staying = (judged: Looking['judged']): object =>
  Object.fromEntries([...judged].flatMap(([key, one]) => ('stays' in one ? [[key, one.stays]] : [])));

/** Removes what still is a candidate with the bytes of the review. Exit code 1: a wheel could not be removed. */
async function apply(
  { port, judged, at }: Looking,
  { review, digest }: { readonly review: PruneReview; readonly digest: string },
  { options }: Input,
  io: Io,
  ports: Ports,
): Promise<ExitCode> {
  const look = secondLook(review, judged);
  const order: FolderPruneOrder = {
    ...{ slipway: 1, kind: 'folder prune order', at, path: port.path },
    ...{ by: sender(options, ports) ?? 'unknown', review: digest as FolderPruneOrder['review'] },
    because: typeof options['reason'] === 'string' ? options['reason'] : null,
    remove: look.remove.map(({ platform, file, digest: bytes }) => ({ folder: platform, file, digest: bytes })),
    stay: look.stay,
  };
  const { record, left } = await port.carryOut(order);
  const told = { record, order, left, unreviewed: look.unreviewed.length };
  if (options['json'] === true) io.out(JSON.stringify(told));
  else io.out(folderAppliedLines(told, colours(io.terminal.colour)).join('\n'));
  return left.length === 0 ? 0 : 1;
}
