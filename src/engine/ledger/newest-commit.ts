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

export interface KnownCommit {
  readonly commit: string;
  /** Commit time, seconds since 1970. */
  readonly epoch: number;
  /** First-parent ancestors, as deep as the clone. A missing commit may still be an ancestor. */
  readonly ancestors: readonly string[];
}

/** Whether `one` comes after `other` on their branch. A descendant comes later, whatever the clocks of its authors.
 * Without known ancestry the commit times decide, and then the hashes. */
export function isLater(one: KnownCommit, other: KnownCommit): boolean {
  if (one.commit === other.commit || other.ancestors.includes(one.commit)) return false;
  if (one.ancestors.includes(other.commit)) return true;
  return one.epoch === other.epoch ? one.commit > other.commit : one.epoch > other.epoch;
}
