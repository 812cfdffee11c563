import { setTimeout as pause } from 'node:timers/promises';
import type { TrackerConnection } from '../../activities/reports/ports.js';
import { fail } from '../../model/failure.js';
import type { JsonObject } from '../../model/json.js';
import { EXPECTED, type Expected } from '../http/body.js';
import { targetBroken } from '../http/errors.js';
import { jsonOf, send, shown, textOf, type Peer } from '../http/request.js';
import { limited, repositoryAbsent, repositoryMoved, requestRefused, tokenRefused } from './errors.js';

/** Version of the REST API (docs.github.com/en/rest/about-the-rest-api/api-versions). */
const HEADERS = {
  accept: 'application/vnd.github+json',
  'x-github-api-version': '2022-11-28',
  'user-agent': 'slipway',
};

/** Longest wait that a request keeps to itself. For a longer one the step ends and is tried again. */
const LONGEST_WAIT_MS = 60_000;
const MOST_WAITS = 3;

export interface Answer {
  readonly status: number;
  /** Any shape. Null for 204, 304, 404 and 410. */
  readonly body: unknown;
  readonly headers: Headers;
}

export interface Ask {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path below the repository, with its query. */
  readonly path: string;
  readonly body?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  /** Most bytes of an answer. Default: those of an API. */
  readonly expected?: Expected;
  /** Name of what is asked for, in messages. */
  readonly what: string;
}

/** Sends a request about the repository. Waits for a short rate limit. Throws for every status but 2xx, 304, 404 and 410. */
export async function ask(to: TrackerConnection, request: Ask): Promise<Answer> {
  for (let waits = 0; ; waits += 1) {
    const response = await sendOnce(to, request);
    const limitMs = limitOf(response);
    if (limitMs === null) return judge(to, request, response);
    await response.body?.cancel();
    if (limitMs > LONGEST_WAIT_MS || waits >= MOST_WAITS)
      throw fail(limited(to.name, shown(addressOf(to, request)), Math.ceil(limitMs / 1000)));
    to.waits(`${to.name}: GitHub asks to wait ${Math.ceil(limitMs / 1000)} s`);
    await pause(limitMs, undefined, { signal: to.signal });
    to.waits(null);
  }
}

const addressOf = ({ address, repository }: TrackerConnection, { path }: Ask): string =>
  `${address}/repos/${repository}${path}`;

/** The token goes to the address of the profile only: a redirected read loses it at another origin. */
const sendOnce = (to: TrackerConnection, request: Ask): Promise<Response> => {
  const { method = 'GET', body } = request;
  const authorization = `Bearer ${to.token}`;
  const json = body !== undefined && { body: JSON.stringify(body) };
  const headers = {
    ...HEADERS,
    authorization,
    ...request.headers,
    ...(json && { 'content-type': 'application/json' }),
  };
  return send(peerOf(to), addressOf(to, request), { method, headers, ...json });
};

const peerOf = ({ name, signal }: TrackerConnection): Peer => ({
  ...{ target: name, username: null, password: null, origin: null, signal },
});

/** Milliseconds of a rate limit; null without one. GitHub answers 403 and 429, with Retry-After, or with the time at which new
 * requests count (docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api). */
function limitOf({ status, headers }: Response): number | null {
  if (status !== 403 && status !== 429) return null;
  const after = headers.get('retry-after');
  if (after !== null && /^\d{1,6}$/.test(after)) return Number(after) * 1000;
  if (headers.get('x-ratelimit-remaining') === '0') {
    const resetMs = Number(headers.get('x-ratelimit-reset') ?? Number.NaN) * 1000 - Date.now();
    return Number.isFinite(resetMs) ? Math.max(1_000, resetMs) : LONGEST_WAIT_MS;
  }
  return status === 429 ? LONGEST_WAIT_MS : null;
}

/** Statuses whose body says nothing. */
const EMPTY: readonly number[] = [204, 304, 404, 410];

async function judge(to: TrackerConnection, request: Ask, response: Response): Promise<Answer> {
  const { status, headers } = response;
  const url = shown(addressOf(to, request));
  if (EMPTY.includes(status)) {
    await response.body?.cancel();
    return { status, body: null, headers };
  }
  if (response.ok) return { status, body: await jsonOf(peerOf(to), response, request.expected), headers };
  const said = (await textOf(peerOf(to), response, EXPECTED.refusal)).slice(0, 2000);
  if (status === 401 || status === 403) throw fail(tokenRefused(to.name, url, status));
  if (status >= 500 || status === 408) throw fail(targetBroken(to.name, url, status));
  if (status >= 300 && status < 400)
    throw fail(repositoryMoved(to.name, to.repository, response.headers.get('location') ?? 'another address'));
  throw fail(requestRefused(to.name, request.what, [`HTTP ${status}`, said]));
}

/** Throws GITHUB_REPOSITORY_ABSENT unless the repository exists: an issue may be absent where the repository is not. */
export async function mustExist(to: TrackerConnection): Promise<void> {
  const { status } = await ask(to, { path: '', what: 'a look at the repository' });
  if (status === 404 || status === 410) throw fail(repositoryAbsent(to.name, to.repository));
}
