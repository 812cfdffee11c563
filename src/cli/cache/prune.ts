import { reviewOf, secondLook, staleness } from '../../engine/index/prune/review.js';
import type { Digest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import type { PruneReview } from '../../model/index-prune.js';
import type { ExitCode, Input, Io } from '../command.js';
import type { Judged, Ports, PrunePort } from '../ports.js';
import { colours } from '../render/paint.js';
import { appliedLines, reviewLines } from '../screens/cache-prune.js';
import { folderAppliedLines, folderReviewLines } from '../screens/folder-prune.js';
import { sender } from '../send-action.js';
import { folderWithLog, reviewStale, reviewUnknown } from './errors.js';

const textOf = (value: string | boolean | undefined): string | null => (typeof value === 'string' ? value : null);

/** Reviews what a prune of an index or of a folder would remove, or applies a review. Exit code 1: a wheel of a folder
 * could not be removed. */
export async function cachePrune({ args, options }: Input, io: Io, ports: Ports): Promise<ExitCode> {
  const file = args['file'] ?? 'slipway.yaml';
  const ask = {
    profile: String(options['profile'] ?? 'local'),
    target: textOf(options['target']),
    log: textOf(options['log']),
    folder: textOf(options['folder']),
  };
  if (ask.folder !== null && ask.log !== null) throw fail(folderWithLog());
  const port = await ports.prune(file, ask, options['offline'] === true ? { offline: true } : {});
  const digest = textOf(options['apply']);
  const review = digest === null ? null : await port.review(digest);
  if (digest !== null && review === null) throw fail(reviewUnknown(digest));
  const nowMs = Date.now();
  const now = await port.judge(nowMs);
  const about = { ...port.about, at: new Date(nowMs).toISOString() };
  if (review === null) return propose({ port, now, about }, file, options, io);
  const stale = staleness(review, about);
  if (stale !== null) throw fail(reviewStale(stale));
  return apply({ port, now, about, review, digest: digest as Digest }, options, io, ports);
}

interface Looking {
  readonly port: PrunePort;
  readonly now: Judged;
  readonly about: Pick<PruneReview, 'pipeline' | 'profile' | 'target' | 'at' | 'rules'>;
}

async function propose(
  { port, now: { judged, of }, about }: Looking,
  file: string,
  options: Input['options'],
  io: Io,
): Promise<ExitCode> {
  const review = reviewOf(about, judged);
  const digest = await port.keepReview(review);
  const stay = Object.fromEntries([...judged].flatMap(([key, one]) => ('stays' in one ? [[key, one.stays]] : [])));
  const more = 'path' in of ? {} : { read: of.use.read, due: of.due };
  const shown = { digest, review, judged, file };
  const paint = colours(io.terminal.colour);
  if (options['json'] === true) io.out(JSON.stringify({ digest, review, stay, ...more }));
  else if ('path' in of) io.out(folderReviewLines({ ...shown, ...of }, paint).join('\n'));
  else io.out(reviewLines({ ...shown, ...of }, paint).join('\n'));
  return 0;
}

interface Applying extends Looking {
  readonly review: PruneReview;
  readonly digest: Digest;
}

/** Looks again, then orders the removal of what still is a candidate. An order to an index without wheels removes bytes
 * whose grace is over. */
async function apply(
  { port, now, about, review, digest }: Applying,
  options: Input['options'],
  io: Io,
  ports: Ports,
): Promise<ExitCode> {
  const look = secondLook(review, now.judged);
  const said = { at: about.at, by: sender(options, ports) ?? 'unknown', because: textOf(options['reason']) };
  const done = await port.carryOut({ slipway: 1, ...said, review: digest }, look, now);
  const unreviewed = look.unreviewed.length;
  const paint = colours(io.terminal.colour);
  if ('left' in done) {
    const told = { ...done, unreviewed };
    io.out(options['json'] === true ? JSON.stringify(told) : folderAppliedLines(told, paint).join('\n'));
    return done.left.length === 0 ? 0 : 1;
  }
  const { record, order, findings } = done;
  const told = { record, order, unreviewed: look.unreviewed, findings };
  io.out(options['json'] === true ? JSON.stringify(told) : appliedLines({ ...done, look }, paint).join('\n'));
  return 0;
}
