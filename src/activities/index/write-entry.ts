import { isFinding, readEntry, readGone } from '../../engine/index/read-record.js';
import { projectOf } from '../../engine/index/listed.js';
import { isStatementOf } from '../../engine/index/derive-entry.js';
import { wheelStatement } from '../../engine/index/statement.js';
import { canonical } from '../../model/json.js';
import { fail } from '../../model/failure.js';
import type { Finding } from '../../model/finding.js';
import type { StepId } from '../../model/ids.js';
import { digestOf, type Digest } from '../../model/digest.js';
import { indexPaths, MOST_RECORD_BYTES, SIDECAR, STATEMENT, type IndexEntry } from '../../model/python/index-entry.js';
import { type Indexed, records } from '../../model/run-folder.js';
import type { Item } from '../publish/ports.js';
import { bytesOf } from '../read-text.js';
import { sha256 } from '../sha256.js';
import { fieldsOf } from '../wheels/look/metadata.js';
import type { Work } from '../work.js';
import { entryOfOthers, stillRemoved } from './errors.js';
import { lookInside } from './look-inside.js';
import { confirm, epochOf, originOf } from './origin.js';
import type { IndexPlace, ListingPorts } from './ports.js';

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
  const relisted = (): Promise<readonly Finding[]> => relist(place, { platform, project: projectOf(file), file });
  if (known !== null && !isFinding(known)) {
    if (known.digest !== digest) throw fail(entryOfOthers(path, known.digest, digest));
    await keepCopy(work, place, platform, known);
    await confirm(work, known, build);
    return relisted();
  }
  const { metadata, links } = await lookInside(work, ports, item);
  const from = await originOf(work, build);
  const epoch = epochOf(work.plan, build);
  const stated = wheelStatement({ file, digest, from, plan: digestOf(work.plan, sha256), step: build });
  const entry: IndexEntry = {
    slipway: 1,
    file,
    digest,
    size: item.artifact.size,
    requiresPython: fieldsOf(metadata.split(/\r?\n\r?\n/)[0]!, 'Requires-Python')[0] ?? null,
    metadata: await beside(place, item.name + SIDECAR, metadata, (text) => text === metadata),
    statement: await beside(place, item.name + STATEMENT, stated, (text) => isStatementOf(text, { file, digest })),
    uploadTime: new Date().toISOString().replace('Z', '000Z'),
    from,
    ...(links !== null && { links }),
    ...(epoch > 0 && { epoch }),
    publisher: work.plan.release.name,
  };
  if (seen !== null) await place.swap(path, canonical(entry), seen);
  else if (!(await place.create(path, canonical(entry)))) return writeEntry({ work, place, ports }, item, build);
  await keepCopy(work, place, platform, entry);
  const again =
    known === null ? [] : [{ ...known, why: `${known.why}; it was written again`, next: 'Find what damaged it.' }];
  return [...again, ...(await relisted())];
}

/** Puts a text beside the wheel. One that other bytes left there is replaced: no entry has its digest. Returns the digest of what is
 * there.
 * @param isOurs whether the first writer's text is about the wheel, and stays */
async function beside(
  place: IndexPlace,
  path: string,
  text: string,
  isOurs: (text: string) => boolean,
): Promise<Digest> {
  const seen = await place.read(path);
  if (seen !== null && isOurs(seen.text)) return sha256(seen.text);
  const isFirst = seen === null ? await place.create(path, text) : await place.swap(path, text, seen);
  return isFirst ? sha256(text) : beside(place, path, text, isOurs);
}

/** Keeps a copy of an entry in the store, with the texts beside its wheel: a lost index is restored from copies. The wheel is in
 * the store already. */
async function keepCopy(
  { plan, run, step, store }: Omit<Writing, 'fetch' | 'folder'>,
  place: IndexPlace,
  platform: string,
  entry: IndexEntry,
): Promise<void> {
  const name = records.indexed(sha256(step.params.target.address), platform, entry.digest);
  if ((await store.read<Indexed>(name)) !== null) return;
  const path = indexPaths.file(platform, projectOf(entry.file), entry.file);
  for (const text of [path + SIDECAR, path + STATEMENT]) {
    const seen = await place.read(text);
    if (seen !== null) await store.put(bytesOf(seen.text));
  }
  await store.create<Indexed>(name, { entry, plan: digestOf(plan, sha256), step: step.id, run });
}

/** Lists a wheel again that a prune removed: it was published again with the same bytes. A wheel that a person removed
 * or yanked stays so. */
export async function relist(
  place: IndexPlace,
  { platform, project, file }: { readonly platform: string; readonly project: string; readonly file: string },
): Promise<readonly Finding[]> {
  const path = indexPaths.goneFile(platform, project, file);
  const seen = await place.read(path);
  const gone = seen === null ? null : readGone(path, seen.text);
  if (gone === null) return [];
  if (isFinding(gone)) return [gone];
  if (gone.state === 'yanked') return [];
  if (gone.review === null) return [stillRemoved(path, gone)];
  const { slipway, yanked } = gone;
  if (yanked === undefined) await place.remove(path);
  else await place.swap(path, canonical({ slipway, file, state: 'yanked', ...yanked, review: null }), seen);
  return [];
}
