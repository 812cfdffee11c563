import type { PointerRule } from './newest-stable.js';

/** The commit that an image names as its source. */
export interface Origin {
  /** Commit, or digest of a source archive. */
  readonly revision: string;
  /** When the image was made, ISO 8601. */
  readonly created: string;
}

/** Whether a pointer moves to `ours`: along with commits, never back. Commits are ordered by the time they were written, as the images
 * say it, and of two of one second by their names, so that whoever comes last the same one stays.
 * @param now what the pointer stands for; 'nothing' where it is not there yet, null where the image does not say */
export function commitRule(ours: Origin | null, now: Origin | 'nothing' | null): PointerRule {
  const stays = (because: string): PointerRule => ({ moves: false, because, version: null });
  const moves = (because: string): PointerRule => ({ moves: true, because, version: null });
  if (now === 'nothing') return moves('nothing was there');
  if (!ours || !(timeOf(ours) > 0)) return stays('this image does not say which commit it is of');
  if (!now || !(timeOf(now) > 0))
    return stays('what it stands for does not say which commit that is of; move it by hand once');
  if (ours.revision === now.revision) return moves(`both are of ${named(ours)}`);
  const [own, other] = [timeOf(ours), timeOf(now)];
  const newer = own > other || (own === other && ours.revision > now.revision);
  return newer
    ? moves(`${named(ours)} was written after ${named(now)}`)
    : stays(`${named(now)} was written after ${named(ours)}`);
}

const timeOf = ({ created }: Origin): number => Date.parse(created);
const named = ({ revision }: Origin): string => revision.replace(/^sha256:/, '').slice(0, 7);
