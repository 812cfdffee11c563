import type { LookupFunction } from 'node:net';
import type { Connection, Session } from '../../activities/publish/ports.js';
import type { Digest } from '../../model/digest.js';
import { fail, SlipwayFailure } from '../../model/failure.js';
import { EXPECTED, parseAnswer, readBody, type Expected } from './body.js';
import { credentialNotSent, targetRefused, targetUnreachable } from './errors.js';
import { problemOfStatus } from './judge.js';
import { judgedFetch } from './judged-fetch.js';
import { assertNotLinkLocal } from './link-local.js';
import { startPatience } from './patience.js';
import { sha256, sha256OfStream } from '../sha256.js';

export interface Peer {
  /** Name for messages. */
  readonly target: string;
  readonly username: string | null;
  readonly password: string | null;
  /** The only origin that gets the credential. Null: no origin does. */
  readonly origin: string | null;
  readonly signal: AbortSignal;
  /** Milliseconds for an answer, plus the time for its bytes. patience.ts has the default. */
  readonly patienceMs?: number | undefined;
  /** Judges a redirect. It throws to refuse it. */
  readonly redirected?: (from: URL, to: URL) => void;
  /** Judges the addresses of a name when a socket connects. judged-fetch.ts has the default. */
  readonly lookup?: LookupFunction | undefined;
}

export const peerOf = (to: Connection, session: Session): Peer => ({
  target: to.name,
  username: to.username,
  password: to.password,
  origin: /^https?:\/\//.test(to.address) ? new URL(to.address).origin : null,
  signal: session.signal,
  patienceMs: session.patienceMs,
});

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestInit['body'];
}

/** Sends a request. Throws coded failures for 401, 403, 413 and server errors; the caller judges other statuses. */
export async function request(peer: Peer, url: string, ask: Ask = {}): Promise<Response> {
  return judged(peer, url, await send(peer, url, ask));
}

/** Throws the problem of a status that means the same at every registry. */
export function judged(peer: Peer, url: string, response: Response): Response {
  const at = response.url || url;
  const isRefused = response.status === 401 || response.status === 403;
  if (isRefused && peer.password !== null && !isOwn(peer, at))
    throw fail(credentialNotSent(peer.target, shown(at), peer.origin));
  const problem = problemOfStatus(peer.target, shown(url), response.status);
  if (problem !== null) throw fail(problem);
  return response;
}

/** Reads without the credential until a server requires it, so that an upload token is sent only where needed. */
export function createReader(peer: Peer): Reader {
  let open = true;
  const anonymous: Peer = { ...peer, password: null };
  return {
    async read(url, ask = {}) {
      if (!open || peer.password === null || !isOwn(peer, url)) return request(peer, url, ask);
      const response = await send(anonymous, url, ask);
      if (response.status !== 401 && response.status !== 403) return judged(peer, url, response);
      await done(response);
      open = false;
      return request(peer, url, ask);
    },
    credential: () =>
      open || peer.password === null ? null : { username: peer.username ?? '', password: peer.password },
  };
}
export interface Reader {
  read(url: string, ask?: Ask): Promise<Response>;
  /** Returns the credential that reading has needed so far. Null if none. */
  credential(): { readonly username: string; readonly password: string } | null;
}

/** Like `request`, but returns every status: 401 may carry a challenge. */
export async function send(peer: Peer, url: string, ask: Ask): Promise<Response> {
  const headers: Record<string, string> = { ...ask.headers };
  if (peer.password !== null && headers['authorization'] === undefined && isOwn(peer, url))
    headers['authorization'] = basic(peer);
  const patience = startPatience(peer.signal, peer.patienceMs, lengthIn(headers['content-length']));
  try {
    const streaming = ask.body === undefined ? {} : { body: ask.body, duplex: 'half' };
    const method = ask.method ?? 'GET';
    const response = await followed(peer, url, {
      method,
      headers,
      signal: patience.signal,
      ...streaming,
    } as RequestInit);
    patience.again(lengthIn(response.headers.get('content-length')));
    return response;
  } catch (error) {
    throw error instanceof SlipwayFailure ? error : outage(peer, url, error);
  }
}

const MOST_REDIRECTS = 20;

/** Only reads follow redirects: an upload goes to the profile's address or nowhere. Each address is judged before it is asked, and
 * a credential stays at its origin. */
async function followed({ target, redirected, lookup }: Peer, url: string, how: RequestInit): Promise<Response> {
  const headers = new Headers(how.headers);
  for (let [at, hops] = [url, 0]; ; hops += 1) {
    await assertNotLinkLocal(target, at);
    const response = await judgedFetch(at, { ...how, headers }, lookup);
    const to = response.headers.get('location');
    const isFollowed = (how.method === 'GET' || how.method === 'HEAD') && REDIRECTS.includes(response.status);
    if (!isFollowed || to === null) return response;
    await response.body?.cancel();
    const next = new URL(to, at);
    if (hops === MOST_REDIRECTS || !/^https?:$/.test(next.protocol))
      throw fail(targetUnreachable(target, shown(at), `redirect count exceeded, or it leads to ${next.protocol}`));
    redirected?.(new URL(at), next);
    if (next.origin !== new URL(at).origin) headers.delete('authorization');
    at = next.href;
  }
}
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

const lengthIn = (header: string | null | undefined): number => Number(header ?? 0) || 0;

/** Classifies a broken or endless connection as infra. Returns the attempt's own abort unchanged. */
function outage(peer: Peer, url: string, error: unknown): unknown {
  if (peer.signal.aborted) return error;
  return fail(targetUnreachable(peer.target, shown(url), reasonOf(error)), error);
}

/** Returns the bytes of an answer. Throws ANSWER_TOO_LARGE if there are more than expected, TARGET_UNREACHABLE if
 * the connection breaks. */
export async function bytesOf(peer: Peer, response: Response, expected: Expected): Promise<Buffer> {
  try {
    return await readBody(peer.target, shown(response.url), response, expected);
  } catch (error) {
    throw error instanceof SlipwayFailure ? error : outage(peer, response.url, error);
  }
}

/** Returns an answer as text, without a byte order mark. */
export const textOf = async (peer: Peer, response: Response, expected: Expected = EXPECTED.api): Promise<string> =>
  new TextDecoder().decode(await bytesOf(peer, response, expected));

/** Returns an answer as JSON of any shape. Throws ANSWER_NOT_JSON. */
export const jsonOf = async (peer: Peer, response: Response, expected: Expected = EXPECTED.api): Promise<unknown> =>
  parseAnswer(peer.target, shown(response.url), await bytesOf(peer, response, expected), expected);

export const isOwn = ({ origin }: Peer, url: string): boolean => origin !== null && new URL(url).origin === origin;

export const basic = (peer: Pick<Peer, 'username' | 'password'>): string =>
  `Basic ${Buffer.from(`${peer.username ?? ''}:${peer.password ?? ''}`).toString('base64')}`;

/** Returns an address for messages. It may be a path or `host:path` too. */
export const shownAnywhere = (address: string): string => (/^[a-z+]+:\/\//.test(address) ? shown(address) : address);

/** Returns an address without user, password and query. */
export function shown(address: string): string {
  const url = new URL(address);
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** Discards an unread body, so that its connection can be reused. */
export const done = async (response: Response): Promise<void> => response.body?.cancel();

/** Returns the digest of a body, in constant memory. */
export async function digestOfBody(peer: Peer, response: Response): Promise<Digest> {
  try {
    return response.body ? (await sha256OfStream(response.body)).digest : sha256('');
  } catch (error) {
    throw outage(peer, response.url, error);
  }
}

/** Reads a file. Null if the server has none (404). Throws TARGET_REFUSED for another status. */
export async function readAt<T>(
  peer: Peer,
  url: string,
  read: (peer: Peer, response: Response) => Promise<T>,
): Promise<T | null> {
  const response = await request(peer, url);
  if (response.ok) return read(peer, response);
  await done(response);
  if (response.status === 404) return null;
  throw fail(targetRefused(peer.target, `a look at ${shown(url)}`, [`HTTP ${response.status}`]));
}

/** Returns why a request got no answer. The reason contains no address. */
export function reasonOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return error.message;
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error));
}
