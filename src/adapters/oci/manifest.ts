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

export function isManifest(value: unknown): value is Manifest {
  if (typeof value !== 'object' || value === null) return false;
  const { mediaType, config, layers, manifests } = value as Record<keyof Manifest, unknown>;
  return (
    (mediaType === undefined || typeof mediaType === 'string') &&
    (config === undefined || isDescriptor(config)) &&
    [layers, manifests].every((all) => all === undefined || (Array.isArray(all) && all.every(isDescriptor)))
  );
}

function isDescriptor(value: unknown): value is Descriptor {
  if (typeof value !== 'object' || value === null) return false;
  const { mediaType, digest, size, urls } = value as Record<keyof Descriptor, unknown>;
  return typeof mediaType === 'string' && isDigest(digest) && Number.isSafeInteger(size) && isListOrAbsent(urls);
}

const isListOrAbsent = (value: unknown): boolean => value === undefined || Array.isArray(value);

export const blobsOf = (manifest: Manifest): readonly Descriptor[] =>
  [...(manifest.config ? [manifest.config] : []), ...(manifest.layers ?? [])].filter(
    (blob) => (blob.urls ?? []).length === 0,
  );
