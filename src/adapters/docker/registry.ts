import { createHash } from 'node:crypto';
import type { ImageRegistry, Staged } from '../../activities/images/ports.js';
import type { Digest } from '../../model/digest.js';
import { fail } from '../../model/failure.js';
import { registryTrouble } from './errors.js';

const MANIFESTS = [
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.index.v1+json',
].join(', ');

interface Manifest {
  readonly config?: { readonly size?: number };
  readonly layers?: readonly { readonly size?: number }[];
  readonly manifests?: readonly { readonly size?: number }[];
}

/** Manifests by the OCI distribution API. The digest is taken over the bytes that came. */
export const createImageRegistry = (): ImageRegistry => ({
  async find(address, repository, reference, signal) {
    const url = `http://${address}/v2/${repository}/manifests/${reference}`;
    const answer = await ask(url, signal);
    if (answer.status === 404) return null;
    if (!answer.ok) throw fail(registryTrouble(`asking for ${repository}:${reference}`, `status ${answer.status}`));
    return stagedOf(Buffer.from(await answer.arrayBuffer()));
  },
});

async function ask(url: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, { headers: { accept: MANIFESTS }, signal });
  } catch (error) {
    signal.throwIfAborted();
    const cause = (error as Error).cause as { code?: string } | undefined;
    throw fail(registryTrouble(`asking ${url}`, cause?.code ?? (error as Error).message), error);
  }
}

export function stagedOf(bytes: Buffer): Staged {
  const manifest = JSON.parse(bytes.toString('utf8')) as Manifest;
  const parts = [manifest.config, ...(manifest.layers ?? []), ...(manifest.manifests ?? [])];
  const size = parts.reduce((sum, part) => sum + (part?.size ?? 0), 0);
  return { digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}` as Digest, size };
}
