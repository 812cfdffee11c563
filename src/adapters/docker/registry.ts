import type { ImageRegistry, Staged, StagedManifest } from '../../activities/images/ports.js';
import { fail } from '../../model/failure.js';
import { EXPECTED, parseAnswer, readBody } from '../http/body.js';
import { targetNotUnderstood } from '../http/errors.js';
import { basic } from '../http/request.js';
import { isManifest, type Manifest, type Platform } from '../oci/manifest.js';
import { MANIFEST_TYPES } from '../oci/registry.js';
import type { Logins } from './connection.js';
import { registryDenied, registryTrouble } from './errors.js';
import { sha256 } from '../sha256.js';

const INDEX = 'application/vnd.oci.image.index.v1+json';
/** Manifests by the OCI distribution API. The digest is computed from the received bytes. */
export const createImageRegistry = (logins: Logins = () => null): ImageRegistry => ({
  async find(address, repository, reference, signal) {
    const got = await manifest(logins, address, repository, reference, signal);
    return got && stagedOf(got);
  },
  async read(address, repository, reference, signal) {
    const got = await manifest(logins, address, repository, reference, signal);
    if (!got) return null;
    const { content } = got;
    const own = content.config && (await json(logins, address, `${repository}/blobs/${content.config.digest}`, signal));
    const platforms = own ? [own] : (content.manifests ?? []).map(({ platform }) => platform ?? {});
    return {
      ...stagedOf(got),
      mediaType: content.mediaType ?? got.type,
      index: content.manifests !== undefined,
      bytes: got.bytes.length,
      platforms: platforms.map(platformOf).sort(),
    } satisfies StagedManifest;
  },
  async putIndex(address, repository, tag, text, signal) {
    const headers = { 'content-type': INDEX };
    const url = `http://${address}/v2/${repository}/manifests/${tag}`;
    const answer = await ask(logins, url, { method: 'PUT', headers, body: text, signal });
    if (!answer.ok) throw refused(`taking the index ${repository}:${tag}`, answer);
    await answer.body?.cancel();
  },
});

async function manifest(logins: Logins, address: string, repository: string, reference: string, signal: AbortSignal) {
  const url = `http://${address}/v2/${repository}/manifests/${reference}`;
  const answer = await ask(logins, url, { headers: { accept: MANIFEST_TYPES }, signal });
  if (answer.status === 404) return answer.body?.cancel().then(() => null) ?? null;
  if (!answer.ok) throw refused(`asking for ${repository}:${reference}`, answer);
  const bytes = await readBody(address, url, answer, EXPECTED.manifest);
  const content = parseAnswer(address, url, bytes, EXPECTED.manifest);
  if (!isManifest(content)) throw fail(targetNotUnderstood(address, url, 'a registry: an image manifest is malformed'));
  return { bytes, content, type: answer.headers.get('content-type') ?? '' };
}

async function json(logins: Logins, address: string, path: string, signal: AbortSignal): Promise<Platform> {
  const url = `http://${address}/v2/${path}`;
  const answer = await ask(logins, url, { signal });
  if (!answer.ok) throw refused(`asking for ${path}`, answer);
  const body = await readBody(address, url, answer, EXPECTED.configuration);
  return (parseAnswer(address, url, body, EXPECTED.configuration) ?? {}) as Platform;
}

const refused = (what: string, { status }: Response) =>
  fail((status === 401 ? registryDenied : registryTrouble)(what, `status ${status}`));

type Ask = RequestInit & { readonly headers?: Record<string, string>; readonly signal: AbortSignal };

async function ask(logins: Logins, url: string, init: Ask): Promise<Response> {
  const login = logins(new URL(url).host);
  const headers = { ...init.headers, ...(login && { authorization: basic(login) }) };
  try {
    return await fetch(url, { ...init, headers });
  } catch (error) {
    init.signal.throwIfAborted();
    const cause = (error as Error).cause as { code?: string } | undefined;
    throw fail(registryTrouble(`asking ${url}`, cause?.code ?? (error as Error).message), error);
  }
}

/** `linux/arm64`: omits arm64's default variant v8. */
const platformOf = ({ os = '', architecture = '', variant }: Platform): string =>
  `${os}/${architecture}${variant && `${architecture}/${variant}` !== 'arm64/v8' ? `/${variant}` : ''}`;

function stagedOf({ bytes, content }: { readonly bytes: Buffer; readonly content: Manifest }): Staged {
  const parts = [content.config, ...(content.layers ?? []), ...(content.manifests ?? [])];
  const size = parts.reduce((sum, part) => sum + (part?.size ?? 0), 0);
  return { digest: sha256(bytes), size };
}
