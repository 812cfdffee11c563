import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFinding, readEntry } from '../../engine/index/read-record.js';
import { projectOf } from '../../engine/index/listed.js';
import { wheelStatement } from '../../engine/index/statement.js';
import { canonical } from '../../model/json.js';
import { fail } from '../../model/failure.js';
import type { Finding } from '../../model/finding.js';
import type { StepId } from '../../model/ids.js';
import { digestOf, type Digest } from '../../model/digest.js';
import { indexPaths, MOST_RECORD_BYTES, SIDECAR, STATEMENT, type IndexEntry } from '../../model/python/index-entry.js';
import type { Item } from '../publish/target.js';
import { sha256 } from '../sha256.js';
import type { Member } from '../source/ports.js';
import { newFolder } from '../step/inside.js';
import { fieldsOf } from '../wheels/look/metadata.js';
import type { Work } from '../work.js';
import { entryOfOthers, metadataAbsent, metadataNotText, metadataTooLong, metadataTwice } from './errors.js';
import { originOf } from './origin.js';
import type { IndexPlace, ListingPorts } from './ports.js';

/** METADATA holds a readme. The longest of public indexes have less than 2 MB. */
const MOST_METADATA_BYTES = 16 * 2 ** 20;

type Writing = Pick<Work<'publishArtifacts'>, 'fetch' | 'folder' | 'plan' | 'run' | 'step' | 'store'>;

export interface Writer {
  readonly work: Writing;
  readonly place: IndexPlace;
  readonly ports: Pick<ListingPorts, 'archives'>;
}

/** Writes sidecar, statement and entry of a wheel whose file the index holds, the entry last. A sound entry stays. A
 * damaged one is written again, which is a finding: nothing else describes those bytes. */
export async function writeEntry(
  { work, place, ports }: Writer,
  item: Item,
  build: StepId,
): Promise<readonly Finding[]> {
  const { name: file, digest } = item.artifact;
  const [platform = ''] = item.name.split('/');
  const path = indexPaths.entry(platform, projectOf(file), file);
  const seen = await place.read(path, MOST_RECORD_BYTES);
  const known = seen === null ? null : readEntry(path, seen.text);
  if (known !== null && !isFinding(known)) {
    if (known.digest !== digest) throw fail(entryOfOthers(path, known.digest, digest));
    return [];
  }
  const metadata = await metadataOf(work, ports, item);
  const from = await originOf(work, build);
  const stated = wheelStatement({ file, digest, from, plan: digestOf(work.plan, sha256), step: build });
  const entry: IndexEntry = {
    slipway: 1,
    file,
    digest,
    size: item.artifact.size,
    requiresPython: fieldsOf(metadata.split(/\r?\n\r?\n/)[0]!, 'Requires-Python')[0] ?? null,
    metadata: await beside(place, item.name + SIDECAR, metadata),
    statement: await beside(place, item.name + STATEMENT, stated),
    uploadTime: new Date().toISOString().replace('Z', '000Z'),
    from,
    askers: [work.plan.release.name],
  };
  if (seen === null) await place.create(path, canonical(entry));
  else await place.swap(path, canonical(entry), seen);
  return known === null ? [] : [{ ...known, why: `${known.why}; it was written again`, next: 'Find what damaged it.' }];
}

/** Creates a file beside the wheel. Returns the digest of what is there: the first writer's text stays. */
async function beside(place: IndexPlace, path: string, text: string): Promise<Digest> {
  if (await place.create(path, text)) return sha256(text);
  return sha256((await place.read(path))?.text ?? text);
}

/** Returns the text of METADATA, byte for byte. */
async function metadataOf(work: Writing, ports: Writer['ports'], { artifact }: Item): Promise<string> {
  const folder = newFolder(work, 'listed');
  const wheel = await work.fetch(artifact, folder);
  const found: Member[] = [];
  await ports.archives.unpack(wheel, folder, (member) => {
    if (!/^[^/]+\.dist-info\/METADATA$/.test(member.name)) return null;
    found.push(member);
    return found.length === 1 && member.size <= MOST_METADATA_BYTES ? 'METADATA' : null;
  });
  if (found.length > 1) throw fail(metadataTwice(artifact.name));
  if (found.some(({ size }) => size > MOST_METADATA_BYTES))
    throw fail(metadataTooLong(artifact.name, MOST_METADATA_BYTES));
  const bytes = await readFile(join(folder, 'METADATA')).catch(() => null);
  if (bytes === null) throw fail(metadataAbsent(artifact.name));
  const text = bytes.toString('utf8');
  // The sidecar has the wheel's own bytes. Text that is no UTF-8 would be changed.
  if (!Buffer.from(text).equals(bytes)) throw fail(metadataNotText(artifact.name));
  return text;
}
