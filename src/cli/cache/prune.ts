import { reviewOf, secondLook, staleness } from '../../engine/index/prune/review.js';
import { fail } from '../../model/failure.js';
import type { PruneOrder, PruneReview } from '../../model/index-prune.js';
import type { ExitCode, Input, Io } from '../command.js';
import type { Judged, PrunePort, Ports } from '../ports.js';
import { colours } from '../render/paint.js';
import { appliedLines, reviewLines } from '../screens/cache-prune.js';
import { sender } from '../send-action.js';
import { reviewStale, reviewUnknown } from './prune-errors.js';
import { pruneFolder, staying } from './prune-folder.js';

const textOf = (value: string | boolean | undefined): string | null => (typeof value === 'string' ? value : null);

/** Reviews what a prune of an index would remove, or applies a review. */
export async function cachePrune(input: Input, io: Io, ports: Ports): Promise<ExitCode> {
  const { options } = input;
  const folder = textOf(options['folder']);
  if (folder !== null) return pruneFolder(folder, input, io, ports);
  const file = input.args['file'] ?? 'slipway.yaml';
  const ask = {
    profile: String(options['profile'] ?? 'local'),
    target: textOf(options['target']),
    log: textOf(options['log']),
  };
  const port = await ports.prune(file, ask, options['offline'] === true ? { offline: true } : {});
  const digest = textOf(options['apply']);
  const review = digest === null ? null : await port.review(digest);
  if (digest !== null && review === null) throw fail(reviewUnknown(digest));
  const nowMs = Date.now();
  const now = await port.judge(nowMs);
  const about = { ...port.index, rules: port.rules, at: new Date(nowMs).toISOString() };
  if (review === null) return propose({ port, now, about }, file, input, io);
  const stale = staleness(review, about);
  if (stale !== null) throw fail(reviewStale(stale));
  return apply({ port, now, about, review, digest: digest! }, input, io, ports);
}

interface Looking {
  readonly port: PrunePort;
  readonly now: Judged;
  readonly about: Pick<PruneReview, 'pipeline' | 'profile' | 'target' | 'at' | 'rules'>;
}

async function propose({ port, now, about }: Looking, file: string, { options }: Input, io: Io): Promise<ExitCode> {
  const review = reviewOf(about, now.judged);
  const digest = await port.keepReview(review);
  const { judged, use, due } = now;
  if (options['json'] === true) io.out(JSON.stringify({ digest, review, stay: staying(judged), read: use.read, due }));
  else io.out(reviewLines({ digest, review, judged, use, due, file }, colours(io.terminal.colour)).join('\n'));
  return 0;
}

interface Applying extends Looking {
  readonly review: PruneReview;
  readonly digest: string;
}

/** Looks again, then orders the removal of what still is a candidate. An order without wheels removes bytes whose grace
 * is over. */
async function apply(
  { port, now, about, review, digest }: Applying,
  { options }: Input,
  io: Io,
  ports: Ports,
): Promise<ExitCode> {
  const look = secondLook(review, now.judged);
  const { release, target, index, rules, rehearsal } = port;
  const order: PruneOrder = {
    ...{ slipway: 1, kind: 'prune order', at: about.at, review: digest as PruneOrder['review'] },
    ...{ by: sender(options, ports) ?? 'unknown', because: textOf(options['reason']) },
    ...{ release, profile: { name: index.profile, rehearsal }, target, graceMs: rules.graceMs },
    ...{ platforms: now.platforms, remove: look.remove, stay: look.stay },
  };
  const { record, findings } = await port.send(order);
  if (options['json'] === true) io.out(JSON.stringify({ record, order, unreviewed: look.unreviewed, findings }));
  else io.out(appliedLines({ record, order, look, findings }, colours(io.terminal.colour)).join('\n'));
  return 0;
}
