import { grouped } from '../../model/grouped.js';
import type { StepId } from '../../model/ids.js';
import { readsFiles } from '../assumed.js';
import type { Context } from '../context.js';
import type { ReadFile } from '../read/release-file.js';
import { parseRef } from '../refs.js';
import type { PlanEntry } from '../stage.js';
import { idsNamed } from '../targets.js';
import { UNCHANGED } from './unchanged.js';

type Items = ReadonlyMap<string, PlanEntry>;

/** Returns the file without those left-out entries of `when: { changed }` whose files another planned entry or a target reads.
 * @param look called only if there are such entries */
export function withKept(file: ReadFile, look: () => readonly [Items, Context]): ReadFile {
  const { assumed = {} } = file;
  const isUnchanged = (id: StepId): boolean => assumed[id]?.startsWith(UNCHANGED) === true;
  if (!Object.keys(assumed).some(isUnchanged)) return file;
  const [items, context] = look();
  const owned = grouped(items.values(), ownerIn);
  const ownerOf = (id: StepId): StepId => (items.has(id) ? ownerIn(items.get(id)!) : id);
  const readBy = new Map<StepId, Set<StepId>>();
  const readers = [...items.values()].filter((item) => context.assumable(ownerIn(item)) === null);
  const reads = (by: StepId, id: StepId): void => {
    if (by === id || !isUnchanged(id)) return;
    // A kept entry reads files of others too.
    if (!readBy.has(id)) readers.push(...(owned.get(id) ?? []));
    readBy.set(id, (readBy.get(id) ?? new Set()).add(by));
  };
  for (const [target, { files = [] }] of Object.entries(file.content.publish))
    for (const text of files)
      for (const id of idsNamed(parseRef(text)?.id ?? '', items)) reads(`publish/${target}`, ownerOf(id));
  for (const item of readers)
    for (const { ref } of item.needs) if (readsFiles(item, ref.id, context)) reads(ownerIn(item), ownerOf(ref.id));
  if (readBy.size === 0) return file;
  const kept = [...readBy].map(([id, by]) => {
    const parts = (owned.get(id) ?? []).flatMap((item) => (item.id === id ? [] : [item.id]));
    return { id, because: assumed[id]!, ...(parts.length > 0 && { parts }), readBy: [...by].sort() };
  });
  return {
    ...file,
    assumed: Object.fromEntries(Object.entries(assumed).filter(([id]) => !readBy.has(id))),
    kept: kept.sort((a, b) => (a.id < b.id ? -1 : 1)),
  };
}

/** Returns the entry that an item stands below: `wheels/skiff` of `prepare/skiff`. */
const ownerIn = ({ path }: PlanEntry): StepId => path.slice(0, 2).join('/');
