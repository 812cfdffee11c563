import { order } from '../../model/order.js';
import type { Finding } from '../../model/finding.js';
import { normalName } from '../../model/python/file-name.js';
import { compareVersions, parseVersion } from '../../model/python/version.js';
import type { Gone, IndexEntry } from '../../model/python/index-entry.js';

/** A wheel as pages show it. */
export interface Listed extends IndexEntry {
  /** Reason why it is yanked. Absent if it is not. */
  readonly yanked?: string;
}

/** Normal name of the project of a wheel. A name has no dash in its project. */
export const projectOf = (file: string): string => normalName(file.slice(0, Math.max(0, file.indexOf('-'))));

/** Applies removals and yanks. Sorted by file name. */
export function listedOf(entries: readonly IndexEntry[], gone: readonly Gone[]): readonly Listed[] {
  const removed = new Set(gone.filter(({ state }) => state === 'removed').map(({ file }) => file));
  const yanked = new Map(gone.filter(({ state }) => state === 'yanked').map(({ file, because }) => [file, because]));
  return entries
    .filter(({ file }) => !removed.has(file))
    .map((entry) => (yanked.has(entry.file) ? { ...entry, yanked: yanked.get(entry.file)! } : entry))
    .sort((a, b) => order(a.file, b.file));
}

/** Distinct versions, lowest first. */
export function versionsOf(listed: readonly Listed[]): readonly string[] {
  const versions = [...new Set(listed.map(({ file }) => file.split('-')[1]!))].map((text) => parseVersion(text)!);
  return versions.sort((a, b) => compareVersions(a, b) || order(a.text, b.text)).map(({ text }) => text);
}

/** Splits entries by the presence of their files: a page never names an absent file. */
export function withFiles(
  entries: readonly IndexEntry[],
  present: ReadonlySet<string>,
): { readonly entries: readonly IndexEntry[]; readonly findings: readonly Finding[] } {
  const absent = entries.filter(({ file }) => !present.has(file));
  return {
    entries: entries.filter(({ file }) => present.has(file)),
    findings: absent.map(({ file }) => ({
      level: 'warning',
      code: 'INDEX_FILE_ABSENT',
      subject: `${projectOf(file)}/${file}`,
      why: 'the index has its entry and no file, so no page names it',
      next: 'Publish the wheel again: `slipway run FILE`. The same bytes take the place of the lost ones.',
    })),
  };
}
