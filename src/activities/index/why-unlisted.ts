import { isFinding, readEntry, readGone } from '../../engine/index/read-record.js';
import { indexPaths, MOST_RECORD_BYTES } from '../../model/python/index-entry.js';
import type { IndexPlace } from './ports.js';

/** Reason why no page can have a wheel of which the index knows a digest. */
export interface Unlisted {
  readonly why: string;
  /** The cause: a person who removed it without a review, an entry that is absent or damaged, or what planning sees too. */
  readonly by: 'person' | 'entry' | 'other';
}

/** Returns why the wheel at a path is not listed. Null if it may be.
 * @param path `PLATFORM/files/PROJECT/FILE` */
export async function whyUnlisted(place: IndexPlace, path: string): Promise<Unlisted | null> {
  const [platform = '', , project = '', file = ''] = path.split('/');
  const at = indexPaths.goneFile(platform, project, file);
  const seen = await place.read(at);
  const gone = seen === null ? null : readGone(at, seen.text);
  if (gone !== null && !isFinding(gone) && gone.state === 'removed')
    return { why: `${gone.by} removed it (${gone.because})`, by: gone.review === null ? 'person' : 'other' };
  const files = await place.list(indexPaths.files(platform, project));
  if (!files.includes(path)) return { why: 'its file is lost', by: 'other' };
  const listed = indexPaths.entry(platform, project, file);
  const entry = await place.read(listed, MOST_RECORD_BYTES);
  const isSound = entry !== null && !isFinding(readEntry(listed, entry.text));
  return isSound ? null : { why: `its entry is ${entry === null ? 'absent' : 'damaged'}`, by: 'entry' };
}
