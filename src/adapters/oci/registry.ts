import { isDigest, type Digest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { EXPECTED } from '../http/body.js';
import { targetRefused } from '../http/errors.js';
import { realmOf } from './realm.js';
import { basic, done, jsonOf, judged, send, textOf, type Ask, type Peer } from '../http/request.js';

export const MANIFEST_TYPES = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

export interface Repository {
  readonly peer: Peer;
  /** `host:port/repository`: the prefix of `:tag` or `@digest`. */
  readonly reference: string;
  /** Sends a request. The caller judges statuses that `judged` accepts.
   * @param path below `/v2/<repository>/`, or an address */
  ask(path: string, ask?: Ask): Promise<Response>;
}

export const hostOf = (address: string): string => address.replace(/^https?:\/\//, '').replace(/\/.*$/, '');

/** Returns the address of a registry's API. Without a scheme it is http on this machine and https elsewhere, as in
 * Docker. */
export function rootOf(address: string): string {
  if (/^https?:\/\//.test(address)) return address.replace(/\/+$/, '');
  const local = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(hostOf(address));
  return `${local ? 'http' : 'https'}://${hostOf(address)}`;
}

export interface Opening {
  readonly repository: string;
  /** Token server on another host. Null: only the registry's own origin is allowed. */
  readonly realm?: string | null;
}

export function openRepository(peer: Peer, address: string, opening: Opening): Repository {
  const { repository } = opening;
  const root = `${rootOf(address)}/v2/${repository}/`;
  let token: string | null = null;
  /** A registry may redirect uploads and pages; the credential stays with the registry's origin. */
  function once(url: string, ask: Ask): Promise<Response> {
    if (new URL(url).origin !== new URL(root).origin) return send({ ...peer, password: null }, url, ask);
    const bearer: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
    return send(peer, url, { ...ask, headers: { ...ask.headers, ...bearer } });
  }
  async function ask(path: string, how: Ask = {}): Promise<Response> {
    const url = new URL(path, root).href;
    let response = await once(url, how);
    const challenge = response.headers.get('www-authenticate') ?? '';
    if (response.status === 401 && /^bearer /i.test(challenge) && !isStream(how.body)) {
      await done(response);
      token = await fetchToken(peer, root, challenge, opening);
      response = await once(url, how);
    }
    return judged(peer, url, response);
  }
  return { peer, reference: `${hostOf(address)}/${repository}`, ask };
}

/** A stream can be sent only once; earlier requests have fetched the token. */
const isStream = (body: Ask['body']): boolean =>
  typeof body === 'object' && body !== null && !(body instanceof Uint8Array);

/** Fetches a token: distribution.github.io/distribution/spec/auth/token. */
async function fetchToken(peer: Peer, root: string, challenge: string, how: Opening): Promise<string> {
  const { repository, realm = null } = how;
  const fields = Object.fromEntries([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]));
  const url = realmOf({ peer, root, challenge, allowed: realm }, fields['realm']);
  if (fields['service']) url.searchParams.set('service', fields['service']);
  url.searchParams.set('scope', `repository:${repository}:pull,push`);
  const headers: Record<string, string> = peer.password === null ? {} : { authorization: basic(peer) };
  const anonymous = { ...peer, password: null };
  const response = judged(anonymous, url.href, await send(anonymous, url.href, { headers }));
  const answer = (await jsonOf(peer, response, EXPECTED.token)) as { token?: unknown; access_token?: unknown } | null;
  const token = answer?.token ?? answer?.access_token;
  return typeof token === 'string' ? token : '';
}

export async function headManifest(repository: Repository, reference: string): Promise<Digest | null> {
  const response = await repository.ask(`manifests/${reference}`, {
    method: 'HEAD',
    headers: { accept: MANIFEST_TYPES },
  });
  await done(response);
  if (response.status === 404) return null;
  const digest = response.headers.get('docker-content-digest');
  if (response.ok && isDigest(digest)) return digest;
  throw fail(
    targetRefused(repository.peer.target, `a look at ${repository.reference}:${reference}`, [
      `HTTP ${response.status}`,
    ]),
  );
}

/** Throws TARGET_REFUSED with the registry's own words unless the answer is ok. */
export async function expectOk(repository: Repository, response: Response, what: string): Promise<Response> {
  if (response.ok) return response;
  const { peer } = repository;
  const words = await textOf(peer, response, EXPECTED.refusal);
  throw fail(targetRefused(peer.target, what, [`HTTP ${response.status}`, words.slice(0, 500)]));
}
