import { basename, dirname, isAbsolute } from 'node:path';
import { problemsOf } from '../../../../activities/step/failures.js';
import { classOf } from '../../../../engine/run/next-after-failure.js';
import type { Problem } from '../../../../model/failure.js';
import type { Mistake } from '../../pure/comments/words.js';
import type { Answer, CommentPorts } from './read-comment.js';

/** Attempts of about ten minutes in which an outage may end. */
const MOST_ATTEMPTS = 10;
const MOST_TOLD = 20;
/** Codes of problems of /skip and /only, which have no place. */
const OF_STEPS = ['UNKNOWN_ENTRY', 'ENTRY_NOT_LEFT_OUT'];

/** Says why a comment starts nothing. What has a place in the commit, in the release file or in an option, or names a step, is told whole. All else, and
 * what names a folder of this machine, is for the operator: the reply has its code alone. Throws outages until they have lasted.
 * @param planned release file of the job and mistakes of the comment. Null: nothing was planned */
export function whyNot(
  { to, asks, folders, warn }: CommentPorts,
  error: unknown,
  planned: { readonly file: string; readonly mistakes: readonly Mistake[] } | null,
): Answer {
  to.signal.throwIfAborted();
  const found = problemsOf(error, null, '');
  if (['infra', 'lost'].includes(classOf(found)) && asks.attempt < MOST_ATTEMPTS) throw error;
  const secret = [...folders, ...(planned === null ? [] : [dirname(planned.file)])];
  const isForAll = ({ code, class: of, place, message, next, evidence = [] }: Problem): boolean =>
    (of === 'config' || of === 'product') &&
    (place !== undefined || OF_STEPS.includes(code)) &&
    !secret.some((folder) => [message, next, ...evidence].some((text) => text.includes(folder)));
  const problems = found.filter(isForAll).slice(0, MOST_TOLD).map(withoutFolder);
  const others = found.filter((one) => !isForAll(one));
  others.forEach(warn);
  const codes = [...new Set(others.map(({ code }) => code))];
  return { reply: { kind: 'mistakes', mistakes: planned?.mistakes ?? [], problems, codes } };
}

const withoutFolder = ({ place, ...problem }: Problem): Problem => ({
  ...problem,
  ...(place && { place: isAbsolute(place.file) ? { ...place, file: basename(place.file) } : place }),
});
