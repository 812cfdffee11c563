import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection, Item, Observed, PublishTarget, Session } from '../../activities/publish/ports.js';
import type { Artifact } from '../../model/artifact.js';
import { fail } from '../../model/failure.js';
import { EXPECTED } from '../http/body.js';
import { jarWithoutCoordinates, targetRefused } from '../http/errors.js';
import { mayPut } from '../http/may-put.js';
import { digestOfBody, done, peerOf, readAt, request, shown, textOf, type Ask, type Peer } from '../http/request.js';
import { ALGORITHMS, checksums, checksumsOfText, type Algorithm } from './checksums.js';
import { artifactFolder, coordinatesOf, mavenPath, type Coordinates } from './coordinates.js';
import { metadata, stamp, versionsIn } from './metadata.js';
import { isSignature, judgeSignatures } from './signatures.js';

interface Repository {
  readonly peer: Peer;
  /** Address with a trailing slash. */
  readonly root: string;
  has(path: string): Promise<boolean>;
  put(path: string, body: Ask['body'], headers?: Ask['headers']): Promise<void>;
}

/** A Maven repository with plain PUT: files first, then checksums, `maven-metadata.xml` last. */
export function createMavenRepository(to: Connection, session: Session): PublishTarget {
  const { username, password } = to;
  const peer = peerOf(to, session);
  const root = to.address.endsWith('/') ? to.address : `${to.address}/`;
  const repository = openRepository(peer, root);
  return {
    async prove(_project, _version, _tags, items = []) {
      await done(await request(peer, root, { method: 'HEAD' }));
      // Asks beside the real path: if a server stores the partial file, no release uses it.
      if (items.length === 0) await mayPut(peer, `${root}slipway-proof`, 1);
      for (const { name, size } of largest(items)) await mayPut(peer, `${root}${name}.slipway-proof`, size);
      return null; // the coordinates are known only once the JAR is built; `observe` compares its bytes then
    },
    items: (artifact) => [itemOf(to.name, root, artifact)],
    check: (items) =>
      judgeSignatures(
        to.name,
        items.map(({ name }) => name),
      ),
    observe: (item) => observe(repository, item.name),
    async upload(items) {
      for (const item of items) await upload(repository, session, item);
    },
    async replace({ name }) {
      for (const path of [...ALGORITHMS.map((algorithm) => `${name}.${algorithm}`), name])
        await write(peer, root + path, { method: 'DELETE' }, 404);
    },
    async complete(items, newest) {
      for (const item of items.filter(({ name }) => !isSignature(name))) await addChecksums(repository, session, item);
      for (const at of distinct(items)) await addVersion(repository, at, newest);
    },
    source: async () => ({
      address: shown(root),
      credential: password === null || to.readsOpenly ? null : { username: username ?? '', password },
    }),
  };
}

/** Returns the largest file of each folder: permissions depend on the path, limits on the size. */
function largest(items: readonly Item[]): readonly { name: string; size: number }[] {
  const byFolder = new Map<string, { name: string; size: number }>();
  for (const { name, artifact } of items) {
    const folder = name.slice(0, name.lastIndexOf('/'));
    if ((byFolder.get(folder)?.size ?? -1) < artifact.size) byFolder.set(folder, { name, size: artifact.size });
  }
  return [...byFolder.values()];
}

/** @param root of the repository, with a trailing slash */
export function itemOf(target: string, root: string, artifact: Artifact): Item {
  const { groupId, artifactId, version } = coordinatesOf(artifact);
  if (!groupId || !artifactId || !version) throw fail(jarWithoutCoordinates(target, artifact.name));
  return { artifact, name: mavenPath(artifact), url: shown(root + mavenPath(artifact)) };
}

async function observe({ peer, root }: Repository, path: string): Promise<Observed> {
  const digest = await readAt(peer, root + path, digestOfBody);
  return digest === null ? { state: 'absent' } : { state: 'present', digest };
}

async function upload(repository: Repository, session: Session, item: Item): Promise<void> {
  const path = await session.fetch(item.artifact, join(session.folder, 'upload'));
  const headers = { 'content-length': String((await stat(path)).size), 'content-type': 'application/octet-stream' };
  session.log.write(`PUT ${item.url}\n`);
  await repository.put(item.name, createReadStream(path) as unknown as Ask['body'], headers);
}

/** Uploads missing checksum files: an earlier attempt may have ended between file and checksum. */
async function addChecksums(repository: Repository, session: Session, item: Item): Promise<void> {
  const missing: Algorithm[] = [];
  for (const algorithm of ALGORITHMS) if (!(await repository.has(`${item.name}.${algorithm}`))) missing.push(algorithm);
  if (missing.length === 0) return;
  const sums = await checksums(await session.fetch(item.artifact, join(session.folder, 'checksums')));
  for (const algorithm of missing) await repository.put(`${item.name}.${algorithm}`, sums[algorithm]);
}

/** Adds the version to `maven-metadata.xml` by read, merge, write. Two concurrent releases of one artifact can lose
 * a line, which either's next release restores. */
async function addVersion(
  repository: Repository,
  at: Coordinates,
  newest: (versions: readonly string[]) => string | null,
): Promise<void> {
  const path = `${artifactFolder(at)}maven-metadata.xml`;
  const there = await textAt(repository, path);
  const before = there === null ? [] : versionsIn(there);
  const versions = [...before, at.version];
  const known = there !== null && before.includes(at.version);
  const text = known ? there : metadata(at, versions, newest(versions) ?? at.version, stamp(new Date()));
  if (!known) await repository.put(path, text);
  const sums = checksumsOfText(text);
  // An earlier attempt may have ended between the metadata and its checksums, which would then stay wrong.
  for (const algorithm of ALGORITHMS)
    if (!known || (await textAt(repository, `${path}.${algorithm}`))?.trim() !== sums[algorithm])
      await repository.put(`${path}.${algorithm}`, sums[algorithm]);
}

/** Null on 404. Any other failure throws: it must not count as an empty list. */
const textAt = ({ peer, root }: Repository, path: string): Promise<string | null> =>
  readAt(peer, root + path, (from, response) => textOf(from, response, EXPECTED.metadata));

function distinct(items: readonly Item[]): readonly Coordinates[] {
  const all = items.map((item) => coordinatesOf(item.artifact));
  return [...new Map(all.map((at) => [`${artifactFolder(at)}${at.version}`, at])).values()];
}

function openRepository(peer: Peer, root: string): Repository {
  return {
    peer,
    root,
    has: async (path) => (await request(peer, root + path, { method: 'HEAD' })).ok,
    // 409 means that the path exists already; a later `observe` compares its bytes.
    put: (path, body, headers = {}) => write(peer, root + path, { method: 'PUT', body, headers }, 409),
  };
}

/** @param passes status that is as good as ok */
async function write(peer: Peer, url: string, ask: Ask & { readonly method: string }, passes: number): Promise<void> {
  const response = await request(peer, url, ask);
  await done(response);
  const { ok, status, statusText } = response;
  if (!ok && status !== passes)
    throw fail(targetRefused(peer.target, `${ask.method} ${shown(url)}`, [`HTTP ${status} ${statusText}`]));
}
