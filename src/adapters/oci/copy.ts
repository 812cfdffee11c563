import { createHash } from 'node:crypto';
import type { Digest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { notStaged, targetRefused } from '../http/errors.js';
import { done } from '../http/request.js';
import { expectOk, headManifest, MANIFEST_TYPES, type Repository } from './registry.js';

/** The parts of a manifest or index that a copy reads. */
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
  /** Layers that live elsewhere and may not be copied. */
  readonly urls?: readonly string[];
}

/** Copies an image, or an index with its images, by digest: blobs, then manifests, children before their index.
 * The bytes of manifests are passed on untouched, so the digest stays. What is there already is not sent again. */
export async function copyImage(
  from: Repository,
  to: Repository,
  digest: Digest,
  onBlob: (line: string) => void,
): Promise<void> {
  if ((await headManifest(to, digest)) === digest) return;
  const { text, type } = await readManifest(from, digest);
  const manifest = JSON.parse(text) as Manifest;
  for (const child of manifest.manifests ?? []) await copyImage(from, to, child.digest, onBlob);
  for (const blob of blobsOf(manifest)) await copyBlob(from, to, blob, onBlob);
  await putManifest(to, digest, text, type);
}

/** A manifest's very bytes, checked against its digest. */
export async function readManifest(from: Repository, digest: Digest): Promise<{ text: string; type: string }> {
  const response = await from.ask(`manifests/${digest}`, { headers: { accept: MANIFEST_TYPES } });
  const text = await response.text();
  if (response.status === 404) throw fail(notStaged(`${from.reference}@${digest}`));
  const seen = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  if (seen !== digest)
    throw fail(targetRefused(from.peer.target, `${from.reference}@${digest}: its bytes are ${seen}`, []));
  return { text, type: response.headers.get('content-type') ?? (JSON.parse(text) as Manifest).mediaType ?? '' };
}

export const blobsOf = (manifest: Manifest): readonly Descriptor[] =>
  [...(manifest.config ? [manifest.config] : []), ...(manifest.layers ?? [])].filter(
    (blob) => (blob.urls ?? []).length === 0,
  );

export async function hasBlob(repository: Repository, digest: Digest): Promise<boolean> {
  const response = await repository.ask(`blobs/${digest}`, { method: 'HEAD' });
  await done(response);
  return response.ok;
}

/** Streams one blob; the registry checks the digest before it takes it. */
async function copyBlob(
  from: Repository,
  to: Repository,
  blob: Descriptor,
  onBlob: (line: string) => void,
): Promise<void> {
  if (await hasBlob(to, blob.digest)) return onBlob(`${blob.digest} is already there\n`);
  const place = await expectOk(to, await to.ask('blobs/uploads/', { method: 'POST' }), 'the start of an upload');
  await done(place);
  const url = new URL(place.headers.get('location') ?? '', place.url);
  url.searchParams.set('digest', blob.digest);
  const source = await expectOk(from, await from.ask(`blobs/${blob.digest}`), `blob ${blob.digest}`);
  const headers = { 'content-type': 'application/octet-stream', 'content-length': String(blob.size) };
  await done(
    await expectOk(to, await to.ask(url.href, { method: 'PUT', headers, body: source.body }), `blob ${blob.digest}`),
  );
  onBlob(`${blob.digest} ${blob.size} bytes\n`);
}

/** Puts a manifest's bytes under a digest or a tag. */
export async function putManifest(to: Repository, reference: string, text: string, type: string): Promise<void> {
  const response = await to.ask(`manifests/${reference}`, {
    method: 'PUT',
    headers: { 'content-type': type },
    body: text,
  });
  await done(await expectOk(to, response, `the manifest ${reference}`));
}
