import type { Importer } from '../../importers/index.js';
import type { ImportedEntry } from '../../model/imported-entry.js';

interface Made {
  /** Section of the importing entry. */
  readonly section: string;
  readonly entries: readonly ImportedEntry[];
  readonly merge: Importer<never, object, never>['merge'];
}

/** Returns the entries of imports. Entries of one name become one entry of the first import, if their importer merges them. */
export function mergedImports<M extends Made>(all: readonly M[]): readonly M[] {
  const merged = new Map<string, ImportedEntry>();
  const kept = all.map(({ section: own, entries, merge }) =>
    entries.flatMap((one) => {
      const id = `${one.section ?? own}/${one.name}`;
      const before = merged.get(id);
      const both = before === undefined ? null : (merge?.(before, one) ?? null);
      merged.set(id, both ?? before ?? one);
      return both === null ? [{ id, one, isFirst: before === undefined }] : [];
    }),
  );
  return all.map((made, at) => ({
    ...made,
    entries: kept[at]!.map(({ id, one, isFirst }) => (isFirst ? merged.get(id)! : one)),
  }));
}
