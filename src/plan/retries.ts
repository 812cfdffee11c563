import { RETRIED_SECTIONS } from '../model/schema/run-retries.js';
import { entriesOf } from './entries.js';
import type { ReleaseFile } from '../model/schema/release-file.js';

/** Merges `retry:` of the whole file into each entry. The entry's own keys take precedence. */
export function withRetries(release: ReleaseFile): ReleaseFile {
  const { retry } = release;
  if (retry === undefined) return release;
  const sections = RETRIED_SECTIONS.filter((section) => retry[section] !== undefined).map((section) => [
    section,
    Object.fromEntries(
      Object.entries(entriesOf(release, section)).map(([name, entry]) => [
        name,
        { ...entry, retry: { ...retry[section], ...entry.retry } },
      ]),
    ),
  ]);
  return { ...release, ...(Object.fromEntries(sections) as Partial<ReleaseFile>) };
}
