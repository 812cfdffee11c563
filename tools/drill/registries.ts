import { createHash } from 'node:crypto';
import type { Digest } from '#slipway/model/digest.js';
import { normalName, parseFileName } from '#slipway/model/python/file-name.js';
import type { Wanted } from './wanted.js';

/** Reads registries as any client would.
 * @param address returns a service's address by name */
export interface Registries {
  /** Digest of the bytes under a name. Null if absent, or if an image is incomplete. */
  find(wanted: Wanted): Promise<Digest | null>;
  tag(repository: string, tag: string): Promise<Digest | null>;
}

export function createRegistries(address: (service: string) => string | null): Registries {
  const at = (service: string): string => address(service) ?? 'http://127.0.0.1:0/';
  const manifests = (repository: string): string => `http://${at('registry')}/v2/${repository}/`;
  return {
    find({ kind, name }) {
      if (kind === 'python') return fileInIndex(at('index'), name);
      if (kind === 'maven') return digestAt(at('maven') + name);
      const cut = name.lastIndexOf(':');
      return wholeImage(manifests(name.slice(0, cut)), name.slice(cut + 1));
    },
    tag: async (repository, tag) => (await manifestAt(manifests(repository), tag))?.digest ?? null,
  };
}

/** Looks the file up in the project's page of links (PEP 503). */
async function fileInIndex(index: string, file: string): Promise<Digest | null> {
  const project = normalName(parseFileName(file)?.project ?? file);
  const page = await get(`${index}+simple/${project}/`);
  const links = page === null ? [] : [...page.toString('utf8').matchAll(/href="([^"]+)"/g)].map(([, link]) => link!);
  const link = links.find((one) => decodeURIComponent(one.split('#')[0]!).endsWith(`/${file}`));
  return link === undefined ? null : digestAt(new URL(link, `${index}+simple/${project}/`).href);
}

async function digestAt(url: string): Promise<Digest | null> {
  const bytes = await get(url);
  return bytes === null ? null : sha256(bytes);
}

const MANIFESTS = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

interface OciManifest {
  readonly manifests?: readonly { readonly digest: string }[];
  readonly config?: { readonly digest: string };
  readonly layers?: readonly { readonly digest: string }[];
}

async function manifestAt(
  repository: string,
  reference: string,
): Promise<{ readonly digest: Digest; readonly manifest: OciManifest } | null> {
  const bytes = await get(`${repository}manifests/${reference}`, { accept: MANIFESTS });
  return bytes === null ? null : { digest: sha256(bytes), manifest: JSON.parse(bytes.toString('utf8')) as OciManifest };
}

/** Null if the tag is absent or any of its blobs is missing. */
async function wholeImage(repository: string, reference: string): Promise<Digest | null> {
  const found = await manifestAt(repository, reference);
  if (found === null) return null;
  const { manifests = [], config, layers = [] } = found.manifest;
  for (const { digest } of manifests) if ((await wholeImage(repository, digest)) !== digest) return null;
  for (const { digest } of [...(config ? [config] : []), ...layers])
    if ((await get(`${repository}blobs/${digest}`, {}, 'HEAD')) === null) return null;
  return found.digest;
}

/** Null for anything but success. */
async function get(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Buffer | null> {
  const response = await fetch(url, { method, headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  return response.ok ? bytes : null;
}

const sha256 = (bytes: Uint8Array): Digest => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
