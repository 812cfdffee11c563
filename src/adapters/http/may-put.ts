import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { fail } from '../../model/failure.js';
import { targetRefused } from './errors.js';
import { problemOfStatus } from './judge.js';
import { basic, isOwn, shown, type Peer } from './request.js';

/** A server that supports `100-continue` answers at once. */
const ANSWER_MS = 5_000;

/** Asks whether this identity may upload a file of that size. `Expect: 100-continue` lets a server refuse before the
 * body (RFC 9110, 10.1.1), and no body is sent. Only a clear refusal throws; without an answer the upload itself
 * decides.
 * @param bytes at least 1 */
export async function mayPut(peer: Peer, url: string, bytes: number): Promise<void> {
  const status = await answerTo(peer, url, bytes);
  if (status === null) return;
  // Checked first: elsewhere 501 means a broken server, but no retry makes this server accept files.
  if (status === 405 || status === 501)
    throw fail(targetRefused(peer.target, `PUT ${shown(url)}`, [`HTTP ${status}: it takes no files by PUT`]));
  const problem = problemOfStatus(peer.target, shown(url), status);
  if (problem !== null) throw fail(problem);
}

/** Returns the status of a final answer. Null if the server would continue or does not answer. */
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
    request.on('error', () => end(null)); // other requests have already shown whether the server answers
    request.flushHeaders();
  });
}
