import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection, Item, Observed, PublishTarget, Session } from '../../activities/publish/ports.js';
import { fail } from '../../model/failure.js';
import { targetRefused } from '../http/errors.js';
import { digestOfBody, done, request, shown, type Ask, type Peer } from '../http/request.js';
import { ALGORITHMS, checksums, checksumsOfText, type Algorithm } from './checksums.js';
import { artifactFolder, coordinatesOf, mavenPath, type Coordinates } from './coordinates.js';
import { metadata, stamp, versionsIn } from './metadata.js';

/** A Maven repository that takes plain PUT: files first, then their checksums, `maven-metadata.xml` last. */
export function createMavenRepository(to: Connection, session: Session): PublishTarget {
  const peer: Peer = { target: to.name, username: to.username, password: to.password, signal: session.signal };
  const root = to.address.endsWith('/') ? to.address : `${to.address}/`;
  const put = (path: string, ask: Ask): Promise<number> => putFile(peer, root + path, ask);
  return {
    takes: ['jar'],
    undo: 'delete the version folder by hand where the repository allows it; on Central irrevocable',
    async prove() {
      await done(await request(peer, root, { method: 'HEAD' }));
      return []; // the coordinates are known only once the JAR is built: its bytes are compared then
    },
    items: (artifact) => [{ artifact, name: mavenPath(artifact), url: shown(root + mavenPath(artifact)) }],
    observe: (item) => observe(peer, root + item.name),
    async upload(items) {
      for (const item of items) await uploadFile(put, session, item);
    },
    async complete(items, newest) {
      for (const item of items) await completeFile(peer, root, put, session, item);
      for (const at of distinct(items.map((item) => coordinatesOf(item.artifact))))
        await list(peer, root, put, at, newest);
    },
    readFrom: async () => shown(root),
  };
}

type Put = (path: string, ask: Ask) => Promise<number>;

async function observe(peer: Peer, url: string): Promise<Observed> {
  const response = await request(peer, url);
  if (response.ok) return { state: 'present', digest: await digestOfBody(peer, response) };
  await done(response);
  if (response.status === 404) return { state: 'absent' };
  throw fail(targetRefused(peer.target, `a look at ${shown(url)}`, [`HTTP ${response.status}`]));
}

async function uploadFile(put: Put, session: Session, item: Item): Promise<void> {
  const path = await session.fetch(item.artifact, join(session.folder, 'upload'));
  const headers = { 'content-length': String((await stat(path)).size), 'content-type': 'application/octet-stream' };
  session.log.write(`PUT ${item.url}\n`);
  await put(item.name, { headers, body: createReadStream(path) as unknown as RequestInit['body'] });
}

/** Checksum files, as far as they are missing: an earlier attempt may have ended between file and checksum. */
async function completeFile(peer: Peer, root: string, put: Put, session: Session, item: Item): Promise<void> {
  const missing: Algorithm[] = [];
  for (const algorithm of ALGORITHMS) {
    const response = await request(peer, `${root}${item.name}.${algorithm}`, { method: 'HEAD' });
    if (!response.ok) missing.push(algorithm);
  }
  if (missing.length === 0) return;
  const sums = await checksums(await session.fetch(item.artifact, join(session.folder, 'checksums')));
  for (const algorithm of missing) await put(`${item.name}.${algorithm}`, { body: sums[algorithm] });
}

/** Lists the version in `maven-metadata.xml`. Read, merge, write: two releases of one artifact at once can lose a line,
 * which the next release of either puts back. */
async function list(
  peer: Peer,
  root: string,
  put: Put,
  at: Coordinates,
  newest: (versions: readonly string[]) => string | null,
): Promise<void> {
  const path = `${artifactFolder(at)}maven-metadata.xml`;
  const response = await request(peer, root + path);
  const before = response.ok ? versionsIn(await response.text()) : (await done(response), []);
  if (before.includes(at.version)) return;
  const versions = [...before, at.version];
  const text = metadata(at, versions, newest(versions) ?? at.version, stamp(new Date()));
  await put(path, { body: text });
  const sums = checksumsOfText(text);
  for (const algorithm of ALGORITHMS) await put(`${path}.${algorithm}`, { body: sums[algorithm] });
}

/** 409: it is there already; `observe` tells with which bytes. */
async function putFile(peer: Peer, url: string, ask: Ask): Promise<number> {
  const response = await request(peer, url, { method: 'PUT', ...ask });
  await done(response);
  if (response.ok || response.status === 409) return response.status;
  throw fail(targetRefused(peer.target, `PUT ${shown(url)}`, [`HTTP ${response.status} ${response.statusText}`]));
}

function distinct(all: readonly Coordinates[]): readonly Coordinates[] {
  return [...new Map(all.map((at) => [`${artifactFolder(at)}${at.version}`, at])).values()];
}
