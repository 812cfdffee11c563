import { isFinding, readGone } from '../../engine/index/read-record.js';
import type { Finding } from '../../model/finding.js';
import { canonical } from '../../model/json.js';
import { indexPaths } from '../../model/python/index-entry.js';
import { stillRemoved } from './errors.js';
import type { IndexPlace } from './ports.js';

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
