import { fail } from '../../model/failure.js';
import { targetRefused } from '../http/errors.js';
import { done, request, shown, type Ask, type Peer } from '../http/request.js';

export interface Repository {
  readonly peer: Peer;
  /** Address with a trailing slash. */
  readonly root: string;
  has(path: string): Promise<boolean>;
  put(path: string, body: Ask['body'], headers?: Ask['headers']): Promise<void>;
}

export function openRepository(peer: Peer, root: string): Repository {
  return {
    peer,
    root,
    has: async (path) => (await request(peer, root + path, { method: 'HEAD' })).ok,
    put: (path, body, headers = {}) => put(peer, root + path, { body, headers }),
  };
}

/** Uploads a file. 409 means that the path exists already; a later `observe` compares its bytes. */
async function put(peer: Peer, url: string, ask: Ask): Promise<void> {
  const response = await request(peer, url, { method: 'PUT', ...ask });
  await done(response);
  if (!response.ok && response.status !== 409)
    throw fail(targetRefused(peer.target, `PUT ${shown(url)}`, [`HTTP ${response.status} ${response.statusText}`]));
}
