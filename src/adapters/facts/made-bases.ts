import type { Past } from '../../activities/plan/ports.js';
import type { ReleaseFile } from '../../model/schema/release-file.js';
import type { Facts } from '../../plan/facts.js';
import { nameOf } from '../../plan/head.js';

/** Returns for which period each line of bases was made last. Null if no base of the file has `refresh`: the store is not asked. */
export async function basesMadeFor(content: ReleaseFile, past: Past): Promise<Facts['madeFor'] | null> {
  if (!Object.values(content.bases).some((base) => 'refresh' in base)) return null;
  const newest = await past.bases(nameOf(content));
  return Object.fromEntries(Object.entries(newest).map(([line, { since }]) => [line, since]));
}
