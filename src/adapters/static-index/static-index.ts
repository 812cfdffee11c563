import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Connection, Item, Observed, PublishTarget, Session } from '../../activities/publish/ports.js';
import type { Artifact } from '../../model/artifact.js';
import { fail } from '../../model/failure.js';
import { isDigest, type Digest } from '../../model/digest.js';
import { indexPaths, type IndexEntry } from '../../model/python/index-entry.js';
import { normalName, parseWheelName } from '../../model/python/file-name.js';
import { EXPECTED } from '../http/body.js';
import { done, peerOf, request, textOf } from '../http/request.js';
import { extraOf } from '../target-extra.js';
import { indexNotServed, wheelOfOther, wheelUnnamed } from './errors.js';
import { openPlace } from './open-place.js';
import type { Place } from './place.js';
import { jsonIn } from '../../model/json.js';

/** A static index: one folder or bucket, with an index for each platform below it. This adapter uploads wheels; the
 * activity `listWheels` writes their entries and has the pages drawn. */
export function createStaticIndex(to: Connection, session: Session, served: string | null = null): PublishTarget {
  const place = openPlace(to, session, served);
  const address = addressOf(to);
  return {
    async prove() {
      await proveWrite(place, to, session);
      return null; // other bytes under a name are compared once they are built
    },
    items: (artifact, platforms) => platforms.map((platform) => itemOf(to.name, address, artifact, platform)),
    observe: (item) => observe(place, item),
    async upload(items) {
      for (const { artifact, name } of items) {
        session.log.write(`creating ${name} in ${place.name}\n`);
        await place.createFile(name, await session.fetch(artifact, join(session.folder, 'upload')));
      }
    },
    source: async () => ({ address, credential: null }),
    record: (path) => recordServed(place, to, session, path),
  };
}

/** Address where people read the index, with a trailing slash. A folder without a web server is read as a file. */
function addressOf(to: Connection): string {
  const { reads } = extraOf(to, 'simple');
  const read = reads ?? (to.address.startsWith('/') ? pathToFileURL(to.address).href : to.address);
  return `${read.replace(/\/+$/, '')}/`;
}

function itemOf(target: string, address: string, artifact: Artifact, platform: string): Item {
  const wheel = parseWheelName(artifact.name);
  if (wheel === null) throw fail(wheelUnnamed(target, artifact.name));
  const { project } = artifact.labels;
  if (project !== undefined && normalName(project) !== normalName(wheel.project))
    throw fail(wheelOfOther(target, artifact.name, project));
  const name = indexPaths.file(platform, normalName(wheel.project), artifact.name);
  return { artifact, name, url: address + encodedPath(name) };
}

const encodedPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** Returns the address of the web server that reads the index, with a trailing slash. Null if there is none. */
function serverOf(to: Connection): string | null {
  const read = extraOf(to, 'simple').reads ?? (/^https?:/.test(to.address) ? to.address : null);
  return read === null ? null : `${read.replace(/\/+$/, '')}/`;
}

/** Asks the web server where there is one: this worker may not be able to read the bucket. */
async function recordServed(place: Place, to: Connection, session: Session, path: string): Promise<string | null> {
  const server = serverOf(to);
  if (server === null) return (await place.read(path))?.text ?? null;
  const peer = peerOf(to, session);
  const response = await request(peer, server + encodedPath(path));
  if (response.ok) return textOf(peer, response, EXPECTED.record);
  await done(response);
  return null;
}

async function observe(place: Place, { name, artifact }: Item): Promise<Observed> {
  const digest = await place.digest(name);
  if (digest !== null) return { state: 'present', digest };
  const former = await formerDigest(place, name);
  return former === null || former === artifact.digest ? { state: 'absent' } : { state: 'present', digest: former };
}

/** Digest of a file that was removed, by its entry, which stays: a name never gets other bytes. */
async function formerDigest(place: Place, name: string): Promise<Digest | null> {
  const [platform = '', , project = '', file = ''] = name.split('/');
  const path = indexPaths.entry(platform, project, file);
  const entry = jsonIn((await place.read(path))?.text ?? '') as Partial<IndexEntry> | null;
  // The publisher writes a damaged record again.
  return isDigest(entry?.digest) ? entry.digest : null;
}

/** Writes and removes a file. Where an address reads the index, it must serve that very file. */
async function proveWrite(place: Place, to: Connection, session: Session): Promise<void> {
  await place.sweep();
  const [path, text] = [`proof/${randomUUID()}.txt`, randomUUID()];
  await place.create(path, text);
  try {
    const server = serverOf(to);
    if (server !== null) await proveServed(place, to, session, server, { path, text });
  } finally {
    await place.remove(path);
  }
}

/** A text that nobody can tell from the path. */
interface Proof {
  readonly path: string;
  readonly text: string;
}

async function proveServed(place: Place, to: Connection, session: Session, address: string, proof: Proof) {
  const peer = peerOf(to, session);
  const response = await request(peer, address + proof.path);
  const text = await textOf(peer, response, EXPECTED.page);
  const why = response.ok ? 'it serves another folder' : `it answers HTTP ${response.status}`;
  if (!response.ok || text !== proof.text) throw fail(indexNotServed(to.name, address, place.name, why));
}
