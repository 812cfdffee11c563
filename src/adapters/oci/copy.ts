import type { Digest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { targetNotUnderstood } from '../http/errors.js';
import { done } from '../http/request.js';
import { blobsOf, DEEPEST, readManifest, type Descriptor } from './manifest.js';
import { expectOk, headManifest, type Repository } from './registry.js';

/** Copies an image, or an index with its images, by digest: blobs, then manifests, children before their index.
 * Manifest bytes stay unchanged, so the digest does too. Skips existing blobs and manifests. */
export async function copyImage(
  from: Repository,
  to: Repository,
  digest: Digest,
  onBlob: (line: string) => void,
  depth = 1,
): Promise<void> {
  if ((await headManifest(to, digest)) === digest) return;
  const { text, type, manifest } = await readManifest(from, digest);
  const children = manifest.manifests ?? [];
  if (children.length > 0 && depth >= DEEPEST)
    throw fail(
      targetNotUnderstood(from.peer.target, from.reference, `a registry: indexes nest deeper than ${DEEPEST}`),
    );
  for (const child of children) await copyImage(from, to, child.digest, onBlob, depth + 1);
  for (const blob of blobsOf(manifest)) await copyBlob(from, to, blob, onBlob);
  await putManifest(to, digest, text, type);
}

export async function hasBlob(repository: Repository, digest: Digest): Promise<boolean> {
  const response = await repository.ask(`blobs/${digest}`, { method: 'HEAD' });
  await done(response);
  return response.ok;
}

/** Streams one blob; the registry verifies its digest. */
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

export async function putManifest(to: Repository, reference: string, text: string, type: string): Promise<void> {
  const response = await to.ask(`manifests/${reference}`, {
    method: 'PUT',
    headers: { 'content-type': type },
    body: text,
  });
  await done(await expectOk(to, response, `the manifest ${reference}`));
}
