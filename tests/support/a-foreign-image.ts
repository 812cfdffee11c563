import { createHash } from 'node:crypto';

type Headers = Readonly<Record<string, string>>;
const MANIFEST = 'application/vnd.docker.distribution.manifest.v2+json';
const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** Pushes an image of another user under a tag, by the registry's API. Returns its digest.
 * @param address `host:port` */
export async function pushForeignImage(
  address: string,
  repository: string,
  tag: string,
  headers: Headers = {},
): Promise<string> {
  const at = (path: string): string => `http://${address}/v2/${repository}/${path}`;
  const config = { architecture: 'amd64', os: 'linux', config: {}, rootfs: { type: 'layers', diff_ids: [] } };
  const bytes = Buffer.from(JSON.stringify({ ...config, author: 'another user' }));
  const begun = await asked(at('blobs/uploads/'), { method: 'POST', headers });
  const place = new URL(begun.headers.get('location')!, begun.url);
  place.searchParams.set('digest', digestOf(bytes));
  await asked(place.href, { method: 'PUT', headers, body: bytes });
  const described = { mediaType: 'application/vnd.docker.container.image.v1+json', size: bytes.length };
  const text = JSON.stringify({
    ...{ schemaVersion: 2, mediaType: MANIFEST, layers: [] },
    config: { ...described, digest: digestOf(bytes) },
  });
  await asked(at(`manifests/${tag}`), { method: 'PUT', headers: { ...headers, 'content-type': MANIFEST }, body: text });
  return digestOf(Buffer.from(text));
}

async function asked(url: string, how: RequestInit): Promise<Response> {
  const answer = await fetch(url, how);
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  return answer;
}
