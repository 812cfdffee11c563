import { RETRIED_SECTIONS } from '../model/schema/frame.js';
import type { ReleaseFile } from '../model/schema/release-file.js';

/** Every entry with what `retry:` of the whole file says for its section; what it says itself stands before that. */
export function withRetries(release: ReleaseFile): ReleaseFile {
  const { retry } = release;
  if (retry === undefined) return release;
  const sections = RETRIED_SECTIONS.filter((section) => retry[section] !== undefined).map((section) => [
    section,
    Object.fromEntries(
      Object.entries(release[section]).map(([name, entry]) => [
        name,
        { ...entry, retry: { ...retry[section], ...entry.retry } },
      ]),
    ),
  ]);
  return { ...release, ...(Object.fromEntries(sections) as Partial<ReleaseFile>) };
}
