import { list, maybe, shape, text, whole } from '../../model/check.js';
import { isDigest, type Digest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { EXPECTED, parseAnswer } from '../http/body.js';
import { notStaged, targetNotUnderstood, targetRefused } from '../http/errors.js';
import { bytesOf, done, shown } from '../http/request.js';
import { MANIFEST_TYPES, type Repository } from './registry.js';
import { sha256 } from '../sha256.js';

/** Deepest nesting of indexes: an index of indexes is allowed. Each level is another round of requests. */
export const DEEPEST = 3;

export interface Manifest {
  readonly mediaType?: string;
  readonly config?: Descriptor;
  readonly layers?: readonly Descriptor[];
  readonly manifests?: readonly Descriptor[];
}
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: Digest;
  readonly size: number;
  /** Foreign layers, which must not be copied. */
  readonly urls?: readonly string[];
  readonly platform?: Platform;
}

export interface Platform {
  readonly os?: string;
  readonly architecture?: string;
  readonly variant?: string;
}

/** Returns a manifest's exact bytes, verified against its digest. Throws NOT_STAGED, TARGET_REFUSED for other bytes,
 * or TARGET_NOT_UNDERSTOOD for no manifest. */
export async function readManifest(
  from: Repository,
  digest: Digest,
): Promise<{ readonly text: string; readonly type: string; readonly manifest: Manifest }> {
  const { target } = from.peer;
  const response = await from.ask(`manifests/${digest}`, { headers: { accept: MANIFEST_TYPES } });
  if (response.status === 404) {
    await done(response);
    throw fail(notStaged(`${from.reference}@${digest}`));
  }
  const bytes = await bytesOf(from.peer, response, EXPECTED.manifest);
  const seen = sha256(bytes);
  if (seen !== digest) throw fail(targetRefused(target, `${from.reference}@${digest}: its bytes are ${seen}`, []));
  const url = shown(response.url);
  const manifest = parseAnswer(target, url, bytes, EXPECTED.manifest);
  if (!isManifest(manifest)) throw fail(targetNotUnderstood(target, url, 'a registry: an image manifest is malformed'));
  const type = response.headers.get('content-type') ?? manifest.mediaType ?? '';
  return { text: bytes.toString('utf8'), type, manifest };
}

const checkDescriptor = shape({
  mediaType: text(Infinity),
  digest: (value) => (isDigest(value) ? null : 'is no digest'),
  size: whole(Number.MIN_SAFE_INTEGER),
  urls: maybe(list(() => null, Infinity)),
});
const checkManifest = shape({
  mediaType: maybe(text(Infinity)),
  config: maybe(checkDescriptor),
  layers: maybe(list(checkDescriptor, Infinity)),
  manifests: maybe(list(checkDescriptor, Infinity)),
});

export const isManifest = (value: unknown): value is Manifest => checkManifest(value) === null;

export const blobsOf = (manifest: Manifest): readonly Descriptor[] =>
  [...(manifest.config ? [manifest.config] : []), ...(manifest.layers ?? [])].filter(
    (blob) => (blob.urls ?? []).length === 0,
  );
