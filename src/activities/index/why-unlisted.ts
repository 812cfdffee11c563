import { isFinding, readGone } from '../../engine/index/read-record.js';
import { indexPaths } from '../../model/python/index-entry.js';
import type { IndexPlace } from './ports.js';

/** Reason why no page can have a wheel of which the index knows a digest. */
export interface Unlisted {
  readonly why: string;
  /** A person removed it, and no review did. */
  readonly byHand: boolean;
}

/** Returns why the wheel at a path is not listed. Null if it may be.
 * @param path `PLATFORM/files/PROJECT/FILE` */
export async function whyUnlisted(place: IndexPlace, path: string): Promise<Unlisted | null> {
  const [platform = '', , project = '', file = ''] = path.split('/');
  const at = indexPaths.goneFile(platform, project, file);
  const seen = await place.read(at);
  const gone = seen === null ? null : readGone(at, seen.text);
  if (gone !== null && !isFinding(gone) && gone.state === 'removed')
    return { why: `${gone.by} removed it (${gone.because})`, byHand: gone.review === null };
  const files = await place.list(indexPaths.files(platform, project));
  return files.includes(path) ? null : { why: 'its file is lost', byHand: false };
}
