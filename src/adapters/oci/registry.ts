import { isDigest, type Digest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { EXPECTED } from '../http/body.js';
import { targetRefused } from '../http/errors.js';
import { realmOf } from './realm.js';
import { basic, done, jsonOf, judged, send, textOf, type Ask, type Peer } from '../http/request.js';

/** Everything a manifest can be: OCI and Docker, one platform or many. */
export const MANIFEST_TYPES = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/** One repository of a registry that speaks the OCI distribution API, v2. */
export interface Repository {
  readonly peer: Peer;
  /** `host:port/repository`, what clients write in front of `:tag` or `@digest`. */
  readonly reference: string;
  /** Statuses below 500 other than 401 and 403 are the caller's. `path` starts behind `/v2/<repository>/`, or is an address. */
  ask(path: string, ask?: Ask): Promise<Response>;
}

export const hostOf = (address: string): string => address.replace(/^https?:\/\//, '').replace(/\/.*$/, '');

/** Address of a registry's API. Without a scheme: http on this machine, https elsewhere, as Docker does. */
export function rootOf(address: string): string {
  if (/^https?:\/\//.test(address)) return address.replace(/\/+$/, '');
  const local = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(hostOf(address));
  return `${local ? 'http' : 'https'}://${hostOf(address)}`;
}

export interface Opening {
  readonly repository: string;
  /** Address of a token server on another host; null: the registry's own host alone. */
  readonly realm?: string | null;
}

export function openRepository(peer: Peer, address: string, opening: Opening): Repository {
  const { repository } = opening;
  const root = `${rootOf(address)}/v2/${repository}/`;
  let token: string | null = null;
  /** Uploads and pages may be sent elsewhere: the credential stays with the registry that it is for. */
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

/** A stream can be sent only once: the requests before it have fetched the token. */
const isStream = (body: Ask['body']): boolean =>
  typeof body === 'object' && body !== null && !(body instanceof Uint8Array);

/** Token of the registry's own token server: distribution.github.io/distribution/spec/auth/token. */
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

/** Digest behind a tag or digest, null where there is none. */
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

/** Throws with the registry's own words when the answer is not one that was hoped for. */
export async function expectOk(repository: Repository, response: Response, what: string): Promise<Response> {
  if (response.ok) return response;
  const { peer } = repository;
  const words = await textOf(peer, response, EXPECTED.refusal);
  throw fail(targetRefused(peer.target, what, [`HTTP ${response.status}`, words.slice(0, 500)]));
}
