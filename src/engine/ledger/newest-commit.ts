import type { PointerRule } from './newest-stable.js';

export interface Origin {
  /** Commit, or digest of a source archive. */
  readonly revision: string;
  /** Creation time of the image, ISO 8601. */
  readonly created: string;
}

/** Decides whether a pointer moves to `ours`: forward only. The images' times decide, then the names of the commits, so
 * that every order of runs ends with the same one.
 * @param now current image of the pointer. 'nothing' without a pointer, null for an image without labels. */
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
