import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { fail } from '../../model/failure.js';
import { targetRefused } from './errors.js';
import { problemOfStatus } from './judge.js';
import { basic, isOwn, shown, type Peer } from './request.js';

/** A server that keeps to the protocol answers at once; one that does not is not waited for. */
const ANSWER_MS = 5_000;

/** Asks whether this identity may put so many bytes there, and sends none: `Expect: 100-continue` lets a server refuse before the
 * body comes (RFC 9110, 10.1.1), and we leave before it does. Only a clear no is a no; whoever says nothing is tried later.
 * @param bytes at least 1 */
export async function mayPut(peer: Peer, url: string, bytes: number): Promise<void> {
  const status = await answerTo(peer, url, bytes);
  if (status === null) return;
  // Before all judgement: 501 counts as broken elsewhere, and no later try makes a server take files.
  if (status === 405 || status === 501)
    throw fail(targetRefused(peer.target, `PUT ${shown(url)}`, [`HTTP ${status}: it takes no files by PUT`]));
  const problem = problemOfStatus(peer.target, shown(url), status);
  if (problem !== null) throw fail(problem);
}

/** Status of a final answer that came in place of "go on"; null: it would go on, or says nothing. */
function answerTo(peer: Peer, url: string, bytes: number): Promise<number | null> {
  const headers = {
    'content-length': String(Math.max(1, bytes)),
    'content-type': 'application/octet-stream',
    expect: '100-continue',
    ...(peer.password !== null && isOwn(peer, url) && { authorization: basic(peer) }),
  };
  return new Promise((answer) => {
    const signal = AbortSignal.any([
      peer.signal,
      AbortSignal.timeout(Math.min(ANSWER_MS, peer.patienceMs ?? ANSWER_MS)),
    ]);
    const request = (url.startsWith('https:') ? secure : plain)(url, { method: 'PUT', headers, agent: false, signal });
    const end = (status: number | null): void => {
      answer(status);
      request.destroy();
    };
    request.once('continue', () => end(null));
    request.once('response', ({ statusCode }) => end(statusCode ?? null));
    request.on('error', () => end(null)); // whether it answers at all was asked before
    request.flushHeaders();
  });
}
