import type { Past } from '../../activities/plan/ports.js';
import type { ReleaseFile } from '../../model/schema/release-file.js';
import type { Facts } from '../../plan/facts.js';
import { nameOf } from '../../plan/head.js';

/** Returns what each line of bases was made for last. Null if no base of the file is ever made anew: the store is not asked. */
export async function basesMadeFor(content: ReleaseFile, past: Past): Promise<Facts['madeFor'] | null> {
  const ofPlatforms = new Set(
    Array.isArray(content.platforms) ? [] : Object.values(content.platforms ?? {}).map(({ base }) => base),
  );
  const isMadeAnew = Object.entries(content.bases).some(
    ([name, base]) => 'refresh' in base || ('image' in base && ofPlatforms.has(name)),
  );
  if (!isMadeAnew) return null;
  const newest = await past.bases(nameOf(content));
  return Object.fromEntries(Object.entries(newest).map(([line, { since }]) => [line, since]));
}
