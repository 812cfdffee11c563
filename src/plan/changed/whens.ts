import { canonical } from '../../model/json.js';
import type { ReleaseFile } from '../../model/schema/release-file.js';
import { entriesOf, type Entry, MADE_SECTIONS } from '../entries.js';
import type { Path } from '../errors.js';
import { sdistOf } from '../sources.js';

/** `when: { changed }` of an entry, also of one that imports. */
export interface When {
  readonly path: Path;
  /** Name of the entry's source. Empty: the file's own. */
  readonly source: string;
  readonly changed: Exclude<Entry['when'], string | undefined>['changed'];
}

export type RuleTags = Extract<When['changed'], { readonly rules: unknown }>;

export const whensOf = (release: ReleaseFile): readonly When[] =>
  MADE_SECTIONS.flatMap((section) =>
    Object.entries(entriesOf(release, section)).flatMap(([name, entry]) => {
      const path = [section, name, 'when', 'changed'];
      return typeof entry.when === 'object' ? [{ path, source: sourceOf(entry, release), ...entry.when }] : [];
    }),
  );

/** A build from an sdist has the source of that sdist. */
function sourceOf(entry: Entry, release: ReleaseFile): string {
  const sdist = sdistOf(entry, release);
  return (sdist === undefined ? entry.source : release.sdists[sdist]!.source) ?? '';
}

/** Tells conditions apart. */
export const whenKey = ({ source, changed }: Omit<When, 'path'>): string => canonical([source, changed]);

/** Keys of an entry's condition, the first known one counts: an imported entry has that of its import, which is of the file's own source. */
export const keysOf = (entry: Entry, changed: When['changed'], release: ReleaseFile): readonly string[] =>
  [sourceOf(entry, release), ''].map((source) => whenKey({ source, changed }));
