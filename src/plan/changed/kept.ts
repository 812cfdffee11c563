import type { StepId } from '../../model/ids.js';
import { readsFiles } from '../assumed.js';
import type { Context } from '../context.js';
import type { ReadFile } from '../read/release-file.js';
import { parseRef } from '../refs.js';
import type { PlanEntry } from '../stage.js';
import { idsNamed } from '../targets.js';
import { UNCHANGED } from './unchanged.js';

type Items = ReadonlyMap<string, PlanEntry>;

/** Returns the file without those left-out entries of `when: { changed }` whose files another planned entry or a target reads. Their
 * results are in the cache.
 * @param look called only if there are such entries */
export function withKept(file: ReadFile, look: () => readonly [Items, Context]): ReadFile {
  const { assumed = {} } = file;
  const isUnchanged = (id: StepId): boolean => assumed[id]?.startsWith(UNCHANGED) === true;
  if (!Object.keys(assumed).some(isUnchanged)) return file;
  const [items, context] = look();
  const ownerOf = (id: StepId): StepId => items.get(id)?.path.slice(0, 2).join('/') ?? id;
  const readBy = new Map<StepId, Set<StepId>>();
  const reads = (by: StepId, id: StepId): void => {
    if (by === id || !isUnchanged(id)) return;
    const isNew = !readBy.has(id);
    readBy.set(id, (readBy.get(id) ?? new Set()).add(by));
    if (isNew) for (const item of items.values()) if (ownerOf(item.id) === id) readsOf(item);
  };
  // What is kept reads files itself.
  const readsOf = (item: PlanEntry): void => {
    for (const { ref } of item.needs) if (readsFiles(item, ref.id, context)) reads(ownerOf(item.id), ownerOf(ref.id));
  };
  for (const [target, { files = [] }] of Object.entries(file.content.publish))
    for (const text of files)
      for (const id of idsNamed(parseRef(text)?.id ?? '', items)) reads(`publish/${target}`, ownerOf(id));
  for (const item of items.values()) if (context.assumable(ownerOf(item.id)) === null) readsOf(item);
  if (readBy.size === 0) return file;
  const kept = [...readBy].map(([id, by]) => ({ id, because: assumed[id]!, readBy: [...by].sort() }));
  return {
    ...file,
    assumed: Object.fromEntries(Object.entries(assumed).filter(([id]) => !readBy.has(id))),
    kept: kept.sort((a, b) => (a.id < b.id ? -1 : 1)),
  };
}
